import { effect, type Signal, signal } from "@preact/signals";

/** What somebody has chosen in this browser; `first` until then. */
function choice(name: string, first: string): Signal<string> {
  const chosen = signal(localStorage.getItem(`pergola.${name}`) ?? first);
  effect(() => localStorage.setItem(`pergola.${name}`, chosen.value));
  return chosen;
}

/** `system`, `light` or `dark`. */
export const theme = choice("theme", "system");
effect(() => {
  document.documentElement.style.colorScheme = theme.value === "system" ? "" : theme.value;
});

/** `Enter` or `Shift+Enter`: it sends, the other one begins a new line. */
export const sendKey = choice("send-key", "Enter");
