import { expect } from "chai";
import { read, sources } from "../architecture/tree.ts";
import { regressions, requirements } from "./requirements.ts";

/**
 * The ids in the first argument of every `verifies(…)`, and those at the front of a title: `it("T06: …")`.
 */
function provedIds(): ReadonlySet<string> {
  const files = ["test", "plugins", "sdk"].flatMap(sources).filter((file) => file.endsWith(".test.ts"));
  return new Set(
    files.flatMap((file) => {
      const text = read(file);
      const verified = [...text.matchAll(/\bverifies\(\s*(\[[^\]]*\]|"[^"]*")/g)].flatMap(([, ids = ""]) =>
        [...ids.matchAll(/"([^"]+)"/g)].map(([, id = ""]) => id),
      );
      const titled = [
        ...text.matchAll(/\b(?:it|describe)\(\s*[`"]((?:[CSATWR]\d\d)(?:, ?[CSATWR]\d\d)*)\b/g),
      ].flatMap(([, ids = ""]) => ids.split(/, ?/));
      return [...verified, ...titled];
    }),
  );
}

describe("the interface", () => {
  it("is proved, promise by promise", () => {
    const proved = provedIds();
    expect([...Object.keys(requirements), ...regressions].filter((id) => !proved.has(id))).to.deep.equal([]);
  });

  it("has no proof of a promise that nobody made", () => {
    const known = new Set<string>([...Object.keys(requirements), ...regressions]);
    expect([...provedIds()].filter((id) => !known.has(id) && !/^[CSATWR]\d\d$/.test(id))).to.deep.equal([]);
  });
});
