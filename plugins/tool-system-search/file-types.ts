/** What `file_type` means: the ends of names, in lower case. A file may be of several types. */
export const fileTypes = {
  document: (
    "pdf doc docx docm dot dotx odt ott rtf txt text md markdown " +
    "tex pages wpd epub html htm xhtml xps djvu ps"
  ).split(" "),
  image:
    "jpg jpeg png gif webp bmp tif tiff heic heif avif svg ico psd xcf raw cr2 cr3 nef arw dng orf rw2".split(
      " ",
    ),
  audio: "mp3 m4a m4b aac flac ogg oga opus wav aif aiff wma ape mka mid midi".split(" "),
  video: "mp4 m4v mov mkv webm avi wmv mpg mpeg flv 3gp ogv mts m2ts".split(" "),
  pdf: ["pdf"],
  presentation: "ppt pptx pptm pps ppsx odp otp key".split(" "),
  spreadsheet: "xls xlsx xlsm xlsb ods ots csv tsv numbers".split(" "),
  source_code: (
    "ts tsx mts cts js jsx mjs cjs py pyi rb go rs java kt kts scala swift c " +
    "h cc cpp cxx hpp hh m mm cs fs vb php pl pm lua r jl hs ml " +
    "ex exs erl clj lisp el dart zig nim d pas asm s sh bash zsh fish ps1 bat " +
    "sql css scss sass less vue svelte html json yaml yml toml xml"
  ).split(" "),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FileType = keyof typeof fileTypes;

/** The types that a file has by its name, the narrowest last. */
export const typesOf = (extension: string): readonly FileType[] =>
  (Object.keys(fileTypes) as FileType[]).filter((type) =>
    (fileTypes[type] as readonly string[]).includes(extension),
  );

/** The end of a name after its last dot, in lower case; empty when there is none. */
export function extensionOf(name: string): string {
  const [, extension = ""] = /[^]\.([^.]*)$/.exec(name) ?? [];
  return extension.toLowerCase();
}
