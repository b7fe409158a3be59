/** Long work in slices, so that keys and scrolling stay quick. */

/** Of a frame of 16 ms; the rest is the browser's. */
const SLICE_MS = 8;

/** Waits for the next frame once a slice is used up. Hidden windows draw none, and there nobody waits for a key. */
export class Slices {
  private began = performance.now();

  async pause(el: HTMLElement): Promise<void> {
    if (performance.now() - this.began < SLICE_MS) return;
    const { win, doc } = el;
    await new Promise<void>((resolve) => {
      if (doc.hidden) win.setTimeout(resolve);
      else win.requestAnimationFrame(() => win.setTimeout(resolve));
    });
    this.began = performance.now();
  }
}
