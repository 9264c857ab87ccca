import { invalidValue } from "../invalid-value.ts";

const named: Readonly<Record<string, string>> = {
  black: "#000000",
  white: "#ffffff",
  gray: "#808080",
  grey: "#808080",
  silver: "#c0c0c0",
  red: "#ff0000",
  maroon: "#800000",
  orange: "#ffa500",
  yellow: "#ffff00",
  olive: "#808000",
  lime: "#00ff00",
  green: "#008000",
  teal: "#008080",
  aqua: "#00ffff",
  blue: "#0000ff",
  navy: "#000080",
  purple: "#800080",
  fuchsia: "#ff00ff",
};

/**
 * A colour as `#rrggbb`, from `#rgb`, `#rrggbb`, either without `#`, or one of the basic names of CSS. Throws
 * ToolError `invalid_value`.
 */
export function colour(parameter: string, value: string): string {
  const text = value.trim().toLowerCase();
  const [, short, long] = /^#?(?:([0-9a-f]{3})|([0-9a-f]{6}))$/.exec(text) ?? [];
  const digits = long ?? short?.replaceAll(/./g, "$&$&");
  if (digits !== undefined) return `#${digits}`;
  if (Object.hasOwn(named, text)) return named[text] ?? "";
  throw invalidValue(
    `${parameter} is no colour.`,
    'Give it as #rrggbb, such as "#1f3864", or by a name such as navy.',
  );
}
