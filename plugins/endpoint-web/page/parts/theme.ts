export type Theme = "system" | "light" | "dark";

const name = "pergola.theme";

export const chosenTheme = (): Theme => (localStorage.getItem(name) as Theme | null) ?? "system";

export function chooseTheme(theme: Theme): Theme {
  localStorage.setItem(name, theme);
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
  return theme;
}
