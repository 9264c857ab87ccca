import { expect } from "chai";
import { compileGlob } from "../search/glob.ts";
import { compileIgnoreRules } from "../search/ignore-rules.ts";

describe("globs", () => {
  for (const [glob, yes, no] of [
    ["*.ts", ["a.ts", "x/y/a.ts", ".ts"], ["a.tsx", "a.ts/b"]],
    ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "x/src/a.ts"]],
    ["src/**/a.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "srcx/a.ts"]],
    ["**/x", ["x", "a/x", "a/b/x"], ["ax", "x/a"]],
    ["src/**", ["src/a", "src/a/b"], ["src", "srcs/a"]],
    ["**", ["a", "a/b"], []],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    ["a?c", ["abc", "a語c"], ["ac", "a/c"]],
    ["[a-c]x", ["ax", "cx"], ["dx", "/x"]],
    ["[!a]x", ["bx"], ["ax", "/x"]],
    ["[]]x", ["]x"], ["x"]],
    ["[x", ["[x"], ["x"]],
    ["{a,b/c}.js", ["a.js", "b/c.js"], ["c.js", "a,b/c.js"]],
    ["{a,{b,c}}", ["a", "b", "c"], ["{a"]],
    ["{**/a,b}", ["a", "x/a", "b"], ["c"]],
    ["{a", ["{a"], ["a"]],
    ["a,b", ["a,b"], ["a", "b"]],
    ["a.b+c(d)|e^$", ["a.b+c(d)|e^$"], ["aXb+c(d)|e^$"]],
    ["\\*.md", ["*.md"], ["a.md"]],
    ["日*/é", ["日本/é"], ["本/é"]],
  ] as const) {
    it(`${glob} takes ${yes.join(" ")} and leaves ${no.join(" ")}`, async () => {
      const { matches } = await compileGlob(glob);
      expect(yes.filter((path) => !matches(path))).to.deep.equal([]);
      expect(no.filter((path) => matches(path))).to.deep.equal([]);
    });
  }
});

describe("gitignore rules, as git has them", () => {
  for (const [rules, ignored, kept] of [
    ["*.log\n!keep.log", ["a.log", "x/a.log"], ["keep.log", "x/keep.log"]],
    ["!keep.log\n*.log", ["keep.log"], []],
    ["/dist", ["dist", "dist/"], ["sub/dist"]],
    ["build/", ["build/", "x/build/"], ["build", "x/build"]],
    ["foo/*\n!foo/bar", ["foo/one"], ["foo/bar", "foo"]],
    ["**/deep/x", ["deep/x", "p/deep/x"], ["x"]],
    ["a/**/c", ["a/c", "a/b/c"], ["c", "x/a/c"]],
    ["doc/**", ["doc/f", "doc/x/y"], ["doc"]],
    ["\\#hash\n\\!bang", ["#hash", "!bang"], ["hash"]],
    ["# comment\n\n   \n", [], ["# comment", "comment"]],
    ["trail   \nesc\\ ", ["trail", "esc "], ["trail   ", "esc"]],
    ["*.[oa]", ["m.o", "m.a"], ["m.ao"]],
    ["?.tmp", ["q.tmp"], ["qq.tmp"]],
    ["{a,b}", ["{a,b}"], ["a", "b"]],
    ["name\r\nother\r\n", ["name", "other"], []],
    ["x/**/y/*.js", ["x/y/a.js", "x/1/2/y/b.js"], ["x/1/2/y/c.ts"]],
  ] as const) {
    it(JSON.stringify(rules), async () => {
      const { check } = await compileIgnoreRules(rules);
      const isIgnored = (path: string) =>
        check(path.replace(/\/$/, ""), path.endsWith("/"))?.ignored === true;
      expect(ignored.filter((path) => !isIgnored(path))).to.deep.equal([]);
      expect(kept.filter(isIgnored)).to.deep.equal([]);
    });
  }
});
