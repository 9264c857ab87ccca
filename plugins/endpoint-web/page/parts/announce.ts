const queue: { readonly text: string; readonly isUrgent: boolean }[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Puts the next text into one of the two live regions of the page: there are no others. */
function next(): void {
  const first = queue.shift();
  timer = first === undefined ? undefined : setTimeout(next, 400);
  const region = first && document.getElementById(first.isUrgent ? "urgent" : "polite");
  // The same words again are heard only where they differ.
  if (region) region.textContent = first.text + (region.textContent === first.text ? "\u00a0" : "");
}

/** Tells a screen reader something, after what it has been told before. */
export function say(text: string, isUrgent = false): void {
  if (isUrgent) queue.unshift({ text, isUrgent });
  else queue.push({ text, isUrgent });
  timer ??= setTimeout(next, 50);
}
