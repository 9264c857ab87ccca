import { places, type Rules } from "../rules.ts";

export const css: Rules = {
  ...places("definition", "class_selector.", "id_selector.", "keyframes_statement."),
  "declaration.": "declaration",
  "class_name.": "up",
};
