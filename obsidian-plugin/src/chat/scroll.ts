/** Follows the answer down only while the person is at the bottom; else offers to go there. */
import { setIcon, type Component } from "obsidian";
import { say } from "../words";

/** Pixels from the end that still count as the end: zoom makes positions fractional. */
export const NEAR_PX = 24;

export function isAtBottom({ scrollTop, clientHeight, scrollHeight }: Extent): boolean {
  return scrollHeight - clientHeight - scrollTop <= NEAR_PX;
}

/** Whether to follow after a scroll event. Only a person scrolls up; content that grew meanwhile is not their doing. */
export function followsAfter(following: boolean, topBefore: number, now: Extent): boolean {
  return isAtBottom(now) || (following && now.scrollTop >= topBefore);
}

type Extent = Pick<HTMLElement, "scrollTop" | "clientHeight" | "scrollHeight">;

export class Follower {
  private following = true;
  private top = 0;
  private readonly button: HTMLElement;

  constructor(
    private readonly el: HTMLElement,
    parent: HTMLElement,
    owner: Component,
  ) {
    this.button = parent.createEl("button", {
      cls: "zibaldone-latest",
      attr: { type: "button", "aria-label": say("chat.latest") },
    });
    setIcon(this.button, "arrow-down");
    this.button.hide();
    owner.registerDomEvent(this.button, "click", () => this.toBottom());
    owner.registerDomEvent(el, "scroll", () => this.become(followsAfter(this.following, this.top, el)));
  }

  /**
   * After the content grew. What stands below a finished answer may be longer than the pane: its beginning is not
   * scrolled away for that.
   */
  follow(running: boolean, last: HTMLElement | null): void {
    if (this.following && !running) {
      const start = Math.max(this.el.scrollTop, last?.offsetTop ?? 0);
      this.el.scrollTop = Math.min(start, this.el.scrollHeight - this.el.clientHeight);
    } else if (this.following) this.el.scrollTop = this.el.scrollHeight;
    this.become(isAtBottom(this.el));
  }

  toBottom(): void {
    this.el.scrollTop = this.el.scrollHeight;
    this.become(true);
  }

  private become(following: boolean): void {
    this.following = following;
    this.top = this.el.scrollTop;
    this.button.toggle(!following);
  }
}
