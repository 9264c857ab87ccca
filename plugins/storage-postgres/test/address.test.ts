import { expect } from "chai";
import { namedDatabase, placeOf } from "../address.ts";

describe("the address of a database", () => {
  it("gives the settings, its password apart", () => {
    expect(namedDatabase("postgres://me:se%40cret@db:5432/x")).to.deep.equal({
      settings: { url: "postgres://me@db:5432/x" },
      secrets: { password: "se@cret" },
    });
    expect(namedDatabase("postgresql://me:se@c:ret@db/x")).to.deep.equal({
      settings: { url: "postgresql://me@db/x" },
      secrets: { password: "se@c:ret" },
    });
    expect(namedDatabase("postgres://me:100%@db/x")?.secrets).to.deep.equal({ password: "100%" });
    const socket = "postgres://me@/x?host=/run";
    expect(namedDatabase(socket)).to.deep.equal({ settings: { url: socket } });
    expect(namedDatabase("postgres:///x?host=/a@b")).to.deep.equal({
      settings: { url: "postgres:///x?host=/a@b" },
    });
  });

  it("of another kind is not taken", () => {
    for (const other of ["sqlite:postgres.db", "mysql://me@db/x", "./postgres", "postgres", ""])
      expect(namedDatabase(other), other).to.equal(undefined);
  });

  it("is told to people without the password", () => {
    expect(placeOf({ url: "postgres://me:secret@db/x" })).to.equal("postgres://me@db/x, schema pergola");
    expect(placeOf({ url: "postgres://me@db/x", schema: "s" })).to.equal("postgres://me@db/x, schema s");
  });
});
