import { imageFacts } from "@pergola/kit-file-facts";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { invalidValue } from "../invalid-value.ts";

/** Pixels of the largest image: what it unpacks to takes four bytes for each. */
const mostPixels = 100_000_000;
const mostOutput = 4 << 20;

const installing =
  "Text in images is read by tesseract, which is not installed. Install it " +
  "(Debian: apt-get install tesseract-ocr; macOS: brew install tesseract).";

async function checkSize(bytes: Uint8Array): Promise<void> {
  const facts = await imageFacts(bytes);
  if (facts === undefined) throw invalidValue("The image is damaged.", "Ask for another copy.");
  const { width, height } = facts;
  if (width * height > mostPixels)
    throw invalidValue(
      `The image has ${width} × ${height} pixels.`,
      "Make it smaller, 100 megapixels at most.",
    );
}

/**
 * The text that tesseract reads in an image. Throws ToolError `unavailable` without the program or a language
 * of it.
 */
export async function recognizeText(bytes: Uint8Array, context: ToolContext): Promise<string> {
  await checkSize(bytes);
  context.progress("Recognising text in the image");
  const languages = (context.settings["tools.document.ocr_languages"] ?? "eng") as string;
  const run = context.spawn("tesseract", ["stdin", "stdout", "-l", languages], {
    input: bytes,
    env: { OMP_THREAD_LIMIT: "1" },
    maxOutputBytes: mostOutput,
  });
  const { exitCode, stdout, stderr } = await run.catch((error: unknown) => {
    if (ToolError.is(error) && error.code === "unavailable")
      throw new ToolError("unavailable", error.message, { hint: installing, cause: error });
    throw error;
  });
  if (exitCode === 0) return stdout.replaceAll("\f", "").trim();
  if (/Failed loading language|Error opening data file/i.test(stderr))
    throw new ToolError("unavailable", `tesseract lacks data for ${languages}.`, {
      hint:
        "Install the language (Debian: tesseract-ocr-deu for deu), or " +
        "change the setting tools.document.ocr_languages.",
    });
  throw invalidValue("tesseract could not read the image.", "It may be damaged; try it as png.");
}
