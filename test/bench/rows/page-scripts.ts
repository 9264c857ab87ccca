// What is evaluated in the page that is measured.

/** Tells when the first message stood in the page. */
export const watch = `(() => {
  window.painted = new Promise((resolve) => new MutationObserver((_, watcher) => {
    if (document.querySelector(".message") === null) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, { childList: true, subtree: true }));
})()`;

/** When the first text or picture was painted, in milliseconds after the navigation. */
export const firstPaint = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
}).observe({ type: "paint", buffered: true }))`;

/**
 * Scrolls back for three seconds, 24 pixels a millisecond, by whole pixels: a browser moves to one what was
 * scrolled to a part of it. Gathers how long each frame took in milliseconds,
 * and by how many pixels what is in the middle of the window moved though nobody scrolled.
 */
export const scroll = `(async () => {
  const view = document.querySelector(".scroller");
  const frame = () => new Promise(requestAnimationFrame);
  const middle = () => {
    const { left, width, top, height } = view.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".message") ?? null;
  };
  const frames = [];
  const begun = await frame();
  let [last, jump, distance] = [begun, 0, 0];
  while (last - begun < 3000) {
    const read = middle();
    const before = read?.getBoundingClientRect().top ?? 0;
    const now = await frame();
    if (read?.isConnected) jump = Math.max(jump, Math.abs(read.getBoundingClientRect().top - before));
    frames.push(now - last);
    const from = view.scrollTop;
    view.scrollTop = Math.round(from - 24 * (now - last));
    distance += from - view.scrollTop;
    last = now;
  }
  return { frames: frames.sort((a, b) => a - b), jump, speed: (1000 * distance) / (last - begun) };
})()`;

export interface Scrolling {
  readonly frames: readonly number[];
  readonly jump: number;
  /** Pixels a second. */
  readonly speed: number;
}
