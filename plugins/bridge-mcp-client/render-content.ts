import { structureOf } from "@pergola/kit-mcp";
import { ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { visibleText as visible } from "@pergola/sdk/host";
import type { CallAnswer, Content } from "./link.ts";

const endings: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "application/pdf": "pdf",
};
/** Characters of an error's text. */
const longestError = 4000;

type Render = (content: Content, index: number) => Promise<string>;

/**
 * Text as it is; what is no text goes into a file of the working directory, and its path stands in the text.
 */
const rendererOf = (context: Pick<ToolContext, "files" | "callId">): Render => {
  const save = async (index: number, base64: string, type: string): Promise<string> => {
    const bytes = Buffer.from(base64, "base64");
    const file = `mcp/${context.callId.replaceAll(/\W/g, "_")}-${index + 1}.${endings[type] ?? "bin"}`;
    await context.files.write(file, bytes);
    return `[${visible(type)}, ${bytes.length} bytes, saved as ${file}]`;
  };
  return async (content, index) => {
    if (content.type === "text") return visible(content.text);
    if (content.type === "image" || content.type === "audio")
      return save(index, content.data, content.mimeType);
    if (content.type === "resource_link") return visible(`[${content.name}: ${content.uri}]`);
    const { uri, text, blob = "", mimeType = "application/octet-stream" } = content.resource;
    if (text !== undefined) return visible(`${uri}:\n${text}`);
    return `${visible(uri)}: ${await save(index, blob, mimeType)}`;
  };
};

/** Pictures as data URLs, for models that can see. */
const picturesIn = ({ content }: CallAnswer): readonly string[] =>
  content.flatMap((piece) =>
    piece.type === "image" ? [`data:${piece.mimeType.toLowerCase()};base64,${piece.data}`] : [],
  );

/** What a tool answered, as a result. Throws ToolError when the tool says that it failed. */
export async function renderContent(
  answer: CallAnswer,
  context: Pick<ToolContext, "files" | "callId">,
): Promise<OperationResult> {
  const pieces = await Promise.all(answer.content.map(rendererOf(context)));
  const text = [...pieces, ...structureOf(answer).map(visible)].join("\n");
  if (answer.isError !== true) return { data: text, images: picturesIn(answer) };
  const message = text.slice(0, longestError) || "The tool failed and does not say why.";
  throw new ToolError("generic_error", message, {
    hint: "The text is the MCP server's. Correct the arguments, or try another way.",
  });
}
