import { serve } from "@pergola/kit-worker/serve";
import { Grammars } from "./find/grammars.ts";
import type { Language } from "./languages/language.ts";
import { languageOf } from "./languages/languages.ts";
import type { ParserTasks } from "./parser-thread.ts";

const grammars = new Grammars();

serve<ParserTasks>({
  usages: async ({ path, text, symbol }) => grammars.usages(requireLanguage(path), text, symbol),
  errors: async ({ path, text }) => grammars.errors(requireLanguage(path), text),
});

function requireLanguage(path: string): Language {
  const language = languageOf(path);
  if (language === undefined) throw new Error("there is no grammar for this file");
  return language;
}
