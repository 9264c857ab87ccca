import { expect } from "chai";
import fc from "fast-check";
import { chunkText } from "../library/chunk-text.ts";

const bare = (text: string): string => text.replaceAll(/\s+/g, "");

describe("chunks", () => {
  it("hold all of any text but white space, in order, none too long, no character split", () => {
    const words = fc.array(
      fc.constantFrom("word", "😀", "\n", "\n\n", ". ", " ", "x".repeat(700), "é".repeat(1600)),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join("");
        const chunks = chunkText(text);
        expect(bare(chunks.join(""))).to.equal(bare(text));
        expect(
          chunks.every(
            (chunk) => chunk.length > 0 && chunk.length <= 1500 && Buffer.from(chunk).toString() === chunk,
          ),
        ).to.equal(true);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it("end between paragraphs where they can", () => {
    const paragraph = "Sentence of a paragraph. ".repeat(32).trim();
    expect(chunkText([paragraph, paragraph, paragraph].join("\n\n"))).to.deep.equal([
      paragraph,
      paragraph,
      paragraph,
    ]);
  });
});
