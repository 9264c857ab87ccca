import { serve } from "@pergola/kit-worker/serve";
import { findErrors } from "./syntax/find-errors.ts";
import { findUsages } from "./syntax/find-usages.ts";
import { Grammars } from "./syntax/grammars.ts";
import type { SyntaxTasks } from "./syntax/jobs.ts";
import { languageOf } from "./syntax/languages.ts";

const grammars = new Grammars();

// A file in no known language has neither errors nor usages.
serve<SyntaxTasks>({
  async errors({ path, text }) {
    const language = languageOf(path);
    return language ? grammars.parse(text, language, ({ rootNode }) => findErrors(rootNode)) : [];
  },
  async usages({ path, text, symbol }) {
    const language = languageOf(path);
    if (language === undefined) return [];
    return grammars.parse(text, language, ({ rootNode }) =>
      findUsages(rootNode, text, symbol, language.rules),
    );
  },
});
