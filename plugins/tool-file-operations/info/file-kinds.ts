export interface FileKind {
  readonly type:
    "text" | "image" | "pdf" | "audio" | "video" | "archive" | "document" | "program" | "data" | "binary";
  readonly description: string;
}

const kind = (
  type: FileKind["type"],
  description: string,
  ...extensions: readonly string[]
): readonly (readonly [string, FileKind])[] =>
  extensions.map((extension) => [extension, { type, description }]);

/** What a file is, by the end of its name. */
const byExtension: ReadonlyMap<string, FileKind> = new Map([
  ...kind("text", "Plain text", "txt", "text", "log"),
  ...kind("text", "Markdown document", "md", "markdown"),
  ...kind("text", "JSON data", "json", "jsonc", "jsonl", "ndjson"),
  ...kind("text", "YAML data", "yaml", "yml"),
  ...kind("text", "TOML data", "toml"),
  ...kind("text", "XML document", "xml", "xsl", "plist"),
  ...kind("text", "Comma-separated values", "csv"),
  ...kind("text", "Tab-separated values", "tsv"),
  ...kind("text", "Settings file", "ini", "cfg", "conf", "env", "properties"),
  ...kind("text", "HTML document", "html", "htm"),
  ...kind("text", "Style sheet", "css", "scss", "less"),
  ...kind("text", "TypeScript source code", "ts", "tsx", "mts", "cts"),
  ...kind("text", "JavaScript source code", "js", "jsx", "mjs", "cjs"),
  ...kind("text", "Python source code", "py", "pyi"),
  ...kind("text", "Go source code", "go"),
  ...kind("text", "Rust source code", "rs"),
  ...kind("text", "Java source code", "java"),
  ...kind("text", "Kotlin source code", "kt", "kts"),
  ...kind("text", "Swift source code", "swift"),
  ...kind("text", "C source code", "c", "h"),
  ...kind("text", "C++ source code", "cpp", "cc", "cxx", "hpp", "hh"),
  ...kind("text", "C# source code", "cs"),
  ...kind("text", "Ruby source code", "rb"),
  ...kind("text", "PHP source code", "php"),
  ...kind("text", "Perl source code", "pl", "pm"),
  ...kind("text", "Shell script", "sh", "bash", "zsh"),
  ...kind("text", "PowerShell script", "ps1"),
  ...kind("text", "SQL script", "sql"),
  ...kind("text", "Patch", "diff", "patch"),
  ...kind("image", "SVG image", "svg"),
  ...kind("image", "PNG image", "png"),
  ...kind("image", "JPEG image", "jpg", "jpeg"),
  ...kind("image", "GIF image", "gif"),
  ...kind("image", "WebP image", "webp"),
  ...kind("image", "Bitmap image", "bmp"),
  ...kind("image", "TIFF image", "tif", "tiff"),
  ...kind("image", "Icon", "ico"),
  ...kind("image", "HEIF image", "heic", "heif"),
  ...kind("pdf", "PDF document", "pdf"),
  ...kind("document", "Word document", "docx", "doc"),
  ...kind("document", "Excel workbook", "xlsx", "xls"),
  ...kind("document", "PowerPoint presentation", "pptx", "ppt"),
  ...kind("document", "OpenDocument file", "odt", "ods", "odp"),
  ...kind("document", "E-book", "epub"),
  ...kind("audio", "Audio file", "mp3", "wav", "flac", "ogg", "m4a", "aac", "opus"),
  ...kind("video", "Video file", "mp4", "mkv", "mov", "avi", "webm"),
  ...kind("archive", "Archive", "zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar"),
  ...kind("program", "Program or library", "exe", "dll", "so", "dylib", "wasm", "class", "o", "a"),
  ...kind("data", "Database", "sqlite", "sqlite3", "db"),
  ...kind("data", "Font", "ttf", "otf", "woff", "woff2"),
]);

/** What the file is by its name, else by whether its beginning looks like text. */
export function fileKind(name: string, looksBinary: boolean): FileKind {
  const [, extension = ""] = /\.([^.]+)$/.exec(name) ?? [];
  const known = byExtension.get(extension.toLowerCase());
  if (known !== undefined && !(known.type === "text" && looksBinary)) return known;
  if (looksBinary) return { type: "binary", description: "Binary file" };
  return { type: "text", description: "Text file" };
}
