import { expect } from "chai";
import type { Preference } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import { refusalOf } from "../refusal.ts";

const one = (from: Preference["from"], marks: object = {}): Preference => ({
  key: "x.y",
  schema: { ...marks },
  value: 1,
  from,
});
const [near, far] = [
  endpointRequest().caller,
  { ...endpointRequest().caller, kind: "token" as const, remote: true, id: "there" },
];

describe("who may change a preference", () => {
  for (const [what, preference, caller, admin, code] of [
    ["anybody, a plain one", one("default"), far, false, undefined],
    ["the person, a protected one", one("stored", { "x-protected": true }), near, false, undefined],
    [
      "nobody elsewhere, a protected one",
      one("default", { "x-protected": true }),
      far,
      false,
      "remote_not_allowed",
    ],
    ["nobody elsewhere, a secret", one("default", { "x-secret": true }), far, false, "remote_not_allowed"],
    ["an administrator elsewhere", one("default", { "x-protected": true }), far, true, undefined],
    ["nobody, one set by a flag", one("flag"), near, false, "set_elsewhere"],
    ["nobody, one set by the environment", one("environment"), near, true, "set_elsewhere"],
    ["nobody, one set by the file", one("file"), near, true, "set_elsewhere"],
    [
      "nobody, one that is needed before the store",
      one("default", { "x-early": true }),
      near,
      true,
      "set_elsewhere",
    ],
  ] as const)
    it(what, () => {
      expect(refusalOf(preference, caller, admin)?.code).to.equal(code);
    });

  it("is told the variable that fixes it", () => {
    expect(refusalOf(one("environment"), near, false)?.message).to.equal(
      "x.y is fixed by PERGOLA_X_Y; change it there.",
    );
  });
});
