import { AppError } from "@pergola/sdk";

/**
 * What keeps a piece of a name harmless on every file system: no dots in front or behind, no separators, no
 * signs with a meaning.
 */
const repositoryPart = /^\w(?:[\w.-]{0,94}[\w-])?$/;
const filePart = /^[\p{L}\p{N}_](?:[\p{L}\p{N} _.+()@,=~-]{0,198}[\p{L}\p{N}_+()@,=~-])?$/u;
const revisionPart = /^\w(?:[\w.-]{0,126}[\w-])?$/;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Of files that are not whole yet. */
export const partSuffix = ".part";

/** Stands behind the name of such a file: which download it is of, and the suffix. */
export const partMark = (downloadId: string): string => `.${downloadId.slice(0, 8)}${partSuffix}`;

/** The beginning of the download's id in such a file's name; undefined for any other file. */
export const ownerOfPart = (name: string): string | undefined => /\.([0-9a-f]{8})\.part$/.exec(name)?.[1];

const isSound = (part: string, form: RegExp): boolean =>
  form.test(part) && !part.includes("..") && !reserved.test(part);
const partsOf = (text: string): readonly string[] => text.split("/");

export const isRepoId = (text: string): boolean =>
  partsOf(text).length === 2 && partsOf(text).every((part) => isSound(part, repositoryPart));

/** A relative path of at most five parts that cannot lead out of its folder, and is none of ours. */
export const isFilename = (text: string): boolean =>
  text.length <= 400 &&
  partsOf(text).length <= 5 &&
  partsOf(text).every((part) => isSound(part, filePart)) &&
  !text.toLowerCase().endsWith(partSuffix);

/** A branch, a tag or a commit. */
export const isRevision = (text: string): boolean =>
  text.length <= 200 && partsOf(text).every((part) => isSound(part, revisionPart));

/** A digest is compared, and never becomes part of a path. */
export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

const checks = {
  repoId: [isRepoId, 'must be "owner/name" of letters, digits, dots, dashes and underscores'],
  filename: [isFilename, "must be the path of a file in the repository"],
  revision: [isRevision, "must be a branch, a tag or a commit"],
  sha256: [isSha256, "must be 64 hexadecimal digits in lower case"],
} as const;

/** The refusal of a request for one of its fields. */
export const invalid = (param: string, message: string): AppError =>
  new AppError({ code: "invalid_value", message, param });

/** Throws `invalid_value` for the first of these names that could not be used as it is. */
export function checkNames(names: { readonly [K in keyof typeof checks]: string | null }): void {
  for (const [param, [isGood, form]] of Object.entries(checks)) {
    const name = names[param as keyof typeof checks];
    if (name !== null && !isGood(name)) throw invalid(param, `${param} ${form}.`);
  }
}
