import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import { completeStyle } from "../style/complete-style.ts";
import { hexColour, styleFacts } from "../style/style.ts";

const failureOf = (given: Parameters<typeof completeStyle>[0], format = "pdf"): ToolError | undefined => {
  try {
    completeStyle(given, format);
  } catch (error) {
    if (ToolError.is(error)) return error;
    throw error;
  }
  return undefined;
};

describe("completeStyle", () => {
  it("has a default for everything on pages", () => {
    for (const format of ["docx", "pdf", "rtf", "xlsx"])
      expect(completeStyle({}, format)).to.deep.equal({
        font_family: "Helvetica",
        font_size: 11,
        heading1_size: 22,
        heading2_size: 16,
        heading3_size: 13,
        text_color: "#000000",
        heading_color: "#000000",
        page_width: 612,
        page_height: 792,
        margin_top: 72,
        margin_right: 72,
        margin_bottom: 72,
        margin_left: 72,
        line_spacing: 1.15,
      });
  });

  it("has larger text and narrow margins on slides", () => {
    expect(completeStyle({}, "pptx")).to.deep.equal({
      font_family: "Helvetica",
      font_size: 18,
      heading1_size: 36,
      heading2_size: 28,
      heading3_size: 22,
      text_color: "#000000",
      heading_color: "#000000",
      page_width: 960,
      page_height: 540,
      margin_top: 36,
      margin_right: 48,
      margin_bottom: 36,
      margin_left: 48,
      line_spacing: 1,
    });
  });

  it("keeps what is given, each by itself", () => {
    const defaults = completeStyle({}, "pdf");
    const given = {
      font_family: "Courier",
      font_size: 10,
      heading1_size: 30,
      heading2_size: 20,
      heading3_size: 12,
      text_color: "#112233",
      heading_color: "#445566",
      page_width: 500,
      page_height: 700,
      margin_top: 10,
      margin_right: 20,
      margin_bottom: 30,
      margin_left: 40,
      line_spacing: 2,
    };
    for (const [name, value] of Object.entries(given))
      expect(completeStyle({ [name]: value }, "pdf")).to.deep.equal({ ...defaults, [name]: value });
  });

  for (const [name, least, most, unit] of [
    ["page_width", 72, 14_400, " points"],
    ["page_height", 72, 14_400, " points"],
    ["margin_top", 0, 7_200, " points"],
    ["margin_left", 0, 7_200, " points"],
    ["font_size", 4, 400, " points"],
    ["heading3_size", 4, 400, " points"],
    ["line_spacing", 0.5, 5, ""],
  ] as const) {
    // So large that no value within its range leaves too little room.
    const room = { page_width: 14_400, page_height: 14_400, margin_top: 0, margin_left: 0 };
    const page = name.startsWith("page_") ? { margin_right: 0, margin_bottom: 0, line_spacing: 0.5 } : {};
    const given = (value: number) => ({ ...room, ...page, [name]: value });

    it(`takes ${name} from ${least} to ${most}`, () => {
      expect(failureOf(given(most))).to.equal(undefined);
      if (name !== "page_height") expect(failureOf(given(least))).to.equal(undefined);
      for (const value of [least - 0.1, most + 0.1])
        expect(failureOf(given(value))).to.include({
          code: "invalid_value",
          message: `${name} is ${value}.`,
          hint: `It must lie between ${least} and ${most}${unit}.`,
        });
    });
  }

  it("leaves 72 points between the margins, across and down", () => {
    for (const [near, far] of [
      ["margin_left", "margin_right"],
      ["margin_top", "margin_bottom"],
    ] as const) {
      const size = { page_width: 600, page_height: 600, heading1_size: 20, heading2_size: 20 };
      expect(failureOf({ ...size, [near]: 300, [far]: 228 })).to.equal(undefined);
      expect(failureOf({ ...size, [near]: 300, [far]: 229 })).to.include({
        message: "The margins leave no room on the page.",
        hint: "Leave at least 72 points between them.",
      });
    }
  });

  for (const name of ["font_size", "heading1_size", "heading2_size", "heading3_size"])
    it(`leaves room for a line of ${name}`, () => {
      const page = { page_height: 344, line_spacing: 2 };
      expect(failureOf({ ...page, [name]: 66 })).to.equal(undefined);
      expect(failureOf({ ...page, [name]: 67 })).to.include({
        message: "A line of the largest text is higher than the page has room.",
        hint: "Choose smaller sizes or a larger page.",
      });
    });
});

describe("styleFacts", () => {
  it("leaves out what makes no sense, and rounds", () => {
    expect(
      styleFacts({
        font_family: "",
        text_color: "#000000",
        font_size: 10.006,
        margin_top: 0,
        margin_left: -1,
        page_width: Number.NaN,
        page_height: undefined,
      }),
    ).to.deep.equal({ text_color: "#000000", font_size: 10.01, margin_top: 0 });
  });
});

describe("hexColour", () => {
  for (const [digits, colour] of [
    ["A0b1C2", "#a0b1c2"],
    ["auto", undefined],
    ["A0B1C", undefined],
    ["A0B1C2D", undefined],
    ["G0B1C2", undefined],
    [undefined, undefined],
  ] as const)
    it(`makes ${colour} of ${digits}`, () => {
      expect(hexColour(digits)).to.equal(colour);
    });
});
