import { expect } from "chai";
import { GrowingText } from "../../sdk/host/growing-text.ts";

describe("a text that grows", () => {
  it("is what was added, in order, whenever it is asked for", () => {
    const text = new GrowingText("So: ");
    let whole = "So: ";
    for (let index = 0; index < 1000; index++) {
      const piece = `word ${index} `;
      text.add(piece);
      whole += piece;
      if (index % 37 === 0) expect(text.toString()).to.equal(whole);
    }
    expect(text.toString()).to.equal(whole);
    expect(text.length).to.equal(whole.length);
  });

  it("is empty at first", () => {
    expect(new GrowingText().toString()).to.equal("");
    expect(new GrowingText().length).to.equal(0);
  });
});
