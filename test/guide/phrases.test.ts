import { expect } from "chai";
import type { OfferedTool, Provider } from "@pergola/sdk";
import { loadCatalogue, room } from "../bench/guide/catalogue.ts";
import { openGuide } from "../bench/guide/guide.ts";
import { type Figures, figuresOf, measureAll } from "../bench/guide/measure.ts";
import { tokensOf } from "../../plugins/service-tools/short-offers.ts";
import type { Phrase } from "../bench/guide/phrase.ts";
import { groupsOf, type Half } from "../bench/guide/phrases/index.ts";

const halves = ["tuning", "held-out"] as const satisfies readonly Half[];
const phrasesOf = (half: Half): readonly Phrase[] => Object.values(groupsOf(half)).flat();
const asksFor =
  (tool: string, operation: string) =>
  ({ operations }: Phrase): boolean =>
    operations.includes(operation) || operations.includes(`${tool}.${operation}`);

const plain = (say: string): string =>
  say
    .toLowerCase()
    .replaceAll(/[^a-z0-9./]+/g, " ")
    .trim();

describe("the guide on phrases it was not tuned on", function () {
  this.timeout(240_000);
  let guide: Provider;
  let tools: readonly OfferedTool[];
  let figures: Figures;

  before(async () => {
    tools = await loadCatalogue();
    guide = await openGuide();
    figures = figuresOf(await measureAll(guide, tools, phrasesOf("held-out"), AbortSignal.timeout(55_000)));
  });
  after(() => guide.close?.());

  it("makes the right call, or offers its operation, for at least 92 %", () => {
    expect(figures.reached / figures.asked).to.be.at.least(0.92);
  });

  it("never changes anything that was not asked for, or not so", () => {
    expect(figures.wrongEffects).to.equal(0);
  });

  it("acts wrongly, unasked, on at most 3 % of all phrases", () => {
    expect(figures.wrongAnswers / (figures.asked + figures.silent)).to.be.at.most(0.03);
  });

  it("calls nothing for at least 90 % of the phrases that no tool answers", () => {
    expect(figures.abstained / figures.silent).to.be.at.least(0.9);
  });

  it("is measured on phrases that are none of the examples", () => {
    const examples = new Set(
      tools.flatMap(({ operations = [] }) =>
        operations.flatMap((operation) => operation.examples.map(({ say }) => plain(say))),
      ),
    );
    const repeated = halves.flatMap(phrasesOf).filter(({ say }) => examples.has(plain(say)));
    expect(repeated.map(({ say }) => say)).to.deep.equal([]);
  });

  it("is measured on every operation, in both halves", () => {
    const unasked = tools.flatMap(({ name: tool, operations = [] }) =>
      operations.flatMap(({ name }) =>
        halves
          .filter((half) => !phrasesOf(half).some(asksFor(tool, name)))
          .map((half) => `${tool}.${name}: ${half}`),
      ),
    );
    expect(unasked).to.deep.equal([]);
  });

  it("is measured with the tools as a model is offered them", () => {
    const tokens = tools.map(tokensOf).reduce((sum, count) => sum + count, 0);
    expect(tokens).to.be.at.most(room.ceiling);
  });
});
