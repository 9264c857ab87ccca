import { expect } from "chai";
import fc from "fast-check";
import type { Effect } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import type { Where } from "../treatment.ts";
import { call, context, decide, linked, preferences, read, touched, write } from "./calls.ts";

const effects = ["none", "read", "write", "destructive", "execute"] as const;
const wheres = ["inside", "outside", "own", "external"] as const;

/** The table as it is written for people. */
const table: Readonly<Record<Effect, Readonly<Record<Where, "allow" | "ask">>>> = {
  none: { inside: "allow", outside: "allow", own: "allow", external: "allow" },
  read: { inside: "allow", outside: "allow", own: "allow", external: "allow" },
  write: { inside: "allow", outside: "ask", own: "allow", external: "ask" },
  destructive: { inside: "ask", outside: "ask", own: "ask", external: "ask" },
  execute: { inside: "ask", outside: "ask", own: "ask", external: "ask" },
};

const at = (effect: Effect, where: Where) => {
  if (where === "own" || where === "external") return { effect, place: where };
  return { effect, paths: [touched(where === "inside" ? "a.txt" : "/tmp/a.txt", effect)] };
};

describe("treatment by effect and place", () => {
  for (const effect of effects) {
    for (const where of wheres) {
      it(`${effect}, ${where}: ${table[effect][where]}`, () => {
        expect(decide(at(effect, where)).decision).to.equal(table[effect][where]);
      });
    }
  }

  it("A11: lets an edit inside the working directory run", () => {
    expect(decide(write("src/main.ts"))).to.deep.equal({ decision: "allow" });
  });

  it("A12: asks before a delete inside the working directory", () => {
    expect(
      decide({ operation: "delete_file", effect: "destructive", paths: [touched("a.txt", "destructive")] }),
    ).to.deep.equal({
      decision: "ask",
      reason: "it removes or discards in the working directory: /work/project/a.txt",
    });
  });

  it("A30: asks for each command, whatever is switched on", () => {
    expect(
      decide({ tool: "terminal_operations", operation: "run_command", effect: "execute" }),
    ).to.deep.equal({
      decision: "ask",
      reason: "it runs a program in the working directory",
    });
  });

  it("A08: takes the real path's place, not the written one's", () => {
    expect(decide({ paths: [linked("link/a.txt", "/etc/a.txt", "outside", "write")] }).decision).to.equal(
      "ask",
    );
  });

  it("A15: asks by the same rules when a call belongs to no run", () => {
    expect(decide(write("/tmp/a"), {}, { runId: null }).decision).to.equal("ask");
    expect(decide(write("a"), {}, { runId: null }).decision).to.equal("allow");
  });
});

describe("a call with several paths", () => {
  it("A10: gets the strictest treatment of both ends of a rename and of every element", () => {
    expect(decide(write("a.txt", "/tmp/b.txt")).decision).to.equal("ask");
    expect(decide(write("/tmp/b.txt", "a.txt")).decision).to.equal("ask");
    expect(decide(write("a", "b", "c", "/tmp/d")).decision).to.equal("ask");
    expect(decide(write("a", "b", "c")).decision).to.equal("allow");
  });

  it("counts the effect of each path, and that of the call", () => {
    expect(
      decide({ effect: "write", paths: [touched("a", "write"), touched("b", "destructive")] }).decision,
    ).to.equal("ask");
    expect(decide({ effect: "destructive", paths: [touched("a", "read")] }).decision).to.equal("ask");
    expect(
      decide({ effect: "write", paths: [touched("/tmp/a", "read"), touched("b", "write")] }).decision,
    ).to.equal("allow");
  });

  it("asks as soon as one of its parts alone would ask, and only then", () => {
    const path = fc.record({ effect: fc.constantFrom(...effects), outside: fc.boolean() });
    fc.assert(
      fc.property(fc.constantFrom(...effects), fc.array(path, { maxLength: 6 }), (effect, parts) => {
        const paths = parts.map((part) => touched(part.outside ? "/tmp/x" : "x", part.effect));
        const strict =
          table[effect].inside === "ask" ||
          parts.some((part) => table[part.effect][part.outside ? "outside" : "inside"] === "ask");
        expect(decide({ effect, paths }).decision).to.equal(strict ? "ask" : "allow");
      }),
    );
  });
});

describe("authorization.auto_approve and authorization.ask", () => {
  const outside = write("/tmp/a.txt");

  it("lifts an approval by operation, however the name is written", () => {
    for (const name of ["file_operations.write_file", "File-Operations.Write-File"]) {
      expect(decide(outside, { auto_approve: [name] }).decision).to.equal("allow");
    }
    expect(decide(outside, { auto_approve: ["file_operations.create_file"] }).decision).to.equal("ask");
    expect(decide(outside, { auto_approve: ["file_operations"] }).decision).to.equal("ask");
  });

  it("lifts an approval by effect, and only that effect", () => {
    expect(decide(outside, { auto_approve: ["write"] }).decision).to.equal("allow");
    expect(decide({ effect: "execute" }, { auto_approve: ["write"] }).decision).to.equal("ask");
    expect(
      decide(
        { effect: "write", paths: [touched("/tmp/a", "write"), touched("b", "destructive")] },
        { auto_approve: ["write"] },
      ).decision,
    ).to.equal("ask");
  });

  it("never lifts what is protected", () => {
    const lists = { auto_approve: [...effects, "file_operations.write_file", "file_operations.read_file"] };
    expect(decide(read("~/.ssh/id_rsa"), lists).decision).to.equal("ask");
    expect(decide(write(".git/hooks/pre-commit"), lists).decision).to.equal("ask");
  });

  it("adds an approval by operation and by effect", () => {
    for (const ask of [["file_operations.write_file"], ["write"], ["WRITE"]]) {
      expect(decide(write("a.txt"), { ask })).to.deep.equal({
        decision: "ask",
        reason: "the settings ask about it",
      });
    }
    expect(decide(read("a.txt"), { ask: ["write"] }).decision).to.equal("allow");
    expect(
      decide({ tool: "think", operation: "think", effect: "none" }, { ask: ["think.think"] }).decision,
    ).to.equal("ask");
  });

  it("asks when both lists name the call", () => {
    expect(
      decide(outside, { auto_approve: ["write"], ask: ["file_operations.write_file"] }).decision,
    ).to.equal("ask");
  });
});

describe("a call made by hand", () => {
  it("is not asked about when a person on this computer made it", () => {
    for (const facts of [
      write("/tmp/a"),
      read("~/.ssh/id_rsa"),
      write(".git/hooks/x"),
      { effect: "execute" as const },
    ]) {
      expect(decide(facts, { ask: ["write"] }, { userInitiated: true })).to.deep.equal({ decision: "allow" });
    }
  });

  it("is asked about when it came from another computer", () => {
    const remote = { ...endpointRequest().caller, kind: "token" as const, remote: true, id: "10.0.0.7" };
    expect(decide(write("/tmp/a"), {}, { userInitiated: true, caller: remote }).decision).to.equal("ask");
  });
});

describe("the reason shown to the person", () => {
  it("shows characters that hide or turn text round", () => {
    const verdict = decide({ paths: [linked("x", "/tmp/a\u202egpj.\u0007exe", "outside", "write")] });
    expect(verdict).to.have.property(
      "reason",
      "it writes outside the working directory: /tmp/a\\u{202e}gpj.␇exe",
    );
  });
});

describe("policy-authorization", () => {
  it("reads the preferences at each call", async () => {
    const lists: Record<string, readonly string[]> = {};
    const taps: Record<string, (...args: never[]) => unknown> = {};
    const host = {
      services: { preferences: preferences(lists) },
      collection: () => expect.fail("a call of no run is in no store"),
      tap: (name: string, handler: () => unknown) => (taps[name] = handler),
    };
    await plugin.register?.(host as never);
    const decision = async () =>
      taps["authorizeToolCall"]?.(call(write("/tmp/a")) as never, context({ runId: null }) as never);
    expect(await decision()).to.have.property("decision", "ask");
    lists["auto_approve"] = ["write"];
    expect(await decision()).to.have.property("decision", "allow");
  });
});
