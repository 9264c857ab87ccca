import type { Language } from "./language.ts";
import { bash } from "./languages/bash.ts";
import { c } from "./languages/c.ts";
import { cSharp } from "./languages/c-sharp.ts";
import { cpp } from "./languages/cpp.ts";
import { go } from "./languages/go.ts";
import { java } from "./languages/java.ts";
import { php } from "./languages/php.ts";
import { python } from "./languages/python.ts";
import { ruby } from "./languages/ruby.ts";
import { rust } from "./languages/rust.ts";
import { javascript, tsx, typescript } from "./languages/typescript.ts";
import { wordsOf } from "./selector.ts";

/** Every language whose code is read by a grammar. */
export const languages: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  cSharp,
  ruby,
  php,
  bash,
];

const byExtension = new Map(
  languages.flatMap((language) =>
    wordsOf(language.extensions).map((extension) => [extension, language] as const),
  ),
);

export const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

/** The language of a file by the end of its name. */
export const languageOf = (path: string): Language | undefined => byExtension.get(extensionOf(path));
