import type { Language } from "./language.ts";
import { bash } from "./bash.ts";
import { c } from "./c.ts";
import { cSharp } from "./c-sharp.ts";
import { cpp } from "./cpp.ts";
import { css } from "./css.ts";
import { go } from "./go.ts";
import { ini } from "./ini.ts";
import { java } from "./java.ts";
import { php } from "./php.ts";
import { powershell } from "./powershell.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { javascript, tsx, typescript } from "./typescript.ts";
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
  powershell,
  css,
  ini,
];

const byExtension = new Map(
  languages.flatMap((language) =>
    wordsOf(language.extensions).map((extension) => [extension, language] as const),
  ),
);

export const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase();

/** The language of a file by the end of its name. */
export const languageOf = (path: string): Language | undefined => byExtension.get(extensionOf(path));
