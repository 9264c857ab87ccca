import { ToolError, type ToolContext } from "@pergola/sdk";

/** `readResult` over these texts, by result id. Offsets and lengths count code points. */
export function storedResults(texts: Readonly<Record<string, string>>): ToolContext["readResult"] {
  return async (resultId, { offset, length }) => {
    const text = texts[resultId];
    const known = Object.keys(texts).slice(0, 3).join(", ");
    if (text === undefined)
      throw new ToolError("not_found", `Result "${resultId}" was not found.`, {
        hint: `Close ids: ${known}`,
      });
    const points = [...text];
    if (offset > points.length)
      throw new ToolError("invalid_value", `The offset lies past the end, ${points.length}.`);
    const content = points.slice(offset, offset + length);
    const next = offset + content.length;
    const hasMore = next < points.length;
    return {
      resultId,
      toolCallId: `call_${resultId}`,
      offset,
      length: content.length,
      totalLength: points.length,
      content: content.join(""),
      nextOffset: hasMore ? next : null,
      hasMore,
    };
  };
}
