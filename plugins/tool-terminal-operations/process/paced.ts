/**
 * Characters that are taken in each window of so many milliseconds: an endless writer waits instead of
 * keeping the host busy.
 */
const [budget, window] = [1_048_576, 50];

interface Valve {
  pause(): void;
  resume(): void;
}

/** Hands text on, and closes the valve for the rest of a window whose budget is spent. */
export function paced(take: (text: string) => void, valve: Valve): (text: string) => void {
  let left = budget;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    timer = undefined;
    left = budget;
    valve.resume();
  };
  return (text) => {
    timer ??= setTimeout(next, window).unref();
    left -= text.length;
    if (left <= 0) valve.pause();
    take(text);
  };
}
