/** Single functions of the API that the mocks leave empty. */
import type { RequestUrlParam, RequestUrlResponse } from "obsidian";
import { draw } from "./icons";
import { call } from "./node";

const parameters = new URLSearchParams(window.location.search);

export function getLanguage(): string {
  return parameters.get("language") ?? "en";
}

export function setIcon(parent: HTMLElement, name: string): void {
  parent.replaceChildren();
  const svg = draw(name.replace(/^lucide-/, ""));
  if (svg) parent.appendChild(svg);
}

export function getIcon(name: string): SVGSVGElement | null {
  return draw(name.replace(/^lucide-/, ""));
}

export function setTooltip(el: HTMLElement, text: string): void {
  el.setAttribute("aria-label", text);
}

export async function requestUrl(asked: RequestUrlParam | string): Promise<RequestUrlResponse> {
  const request = typeof asked === "string" ? { url: asked } : asked;
  const { contentType, headers = {} } = request;
  const typed = contentType ? { ...headers, "Content-Type": contentType } : headers;
  const reply = await call<{ status: number; headers: Record<string, string>; text: string }>("requestUrl", {
    ...request,
    headers: typed,
  });
  if (reply.status >= 400 && request.throw !== false)
    throw Object.assign(new Error(`Request failed, status ${reply.status}`), {
      status: reply.status,
      headers: reply.headers,
    });
  return {
    ...reply,
    arrayBuffer: new TextEncoder().encode(reply.text).buffer,
    get json() {
      return JSON.parse(reply.text) as unknown;
    },
  };
}
