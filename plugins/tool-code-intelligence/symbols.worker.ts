import { serve } from "@pergola/kit-worker/serve";
import type { SymbolTasks } from "./symbol-thread.ts";
import { Grammars } from "./symbols/grammars.ts";
import { languageOf } from "./symbols/languages.ts";

const grammars = new Grammars();

serve<SymbolTasks>({
  async usages({ path, text, symbol }) {
    const language = languageOf(path);
    if (language === undefined) throw new Error("no grammar");
    return grammars.usages(language, text, symbol);
  },
});
