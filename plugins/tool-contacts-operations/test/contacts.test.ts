import { expect } from "chai";
import { toolFailure } from "@pergola/kit-dav/testing";
import { createContact } from "../operations/create-contact.ts";
import { getContact } from "../operations/get-contact.ts";
import { search } from "../operations/search.ts";
import { updateContact } from "../operations/update-contact.ts";
import { card, idIn, names, scene } from "./scene.ts";

const ada = card(
  "VERSION:3.0",
  "UID:ada",
  "N:Lovelace;Ada;King;Lady;",
  "FN:Lady Ada King Lovelace",
  "item1.EMAIL;type=INTERNET;type=WORK:ada@example.com",
  "item1.X-ABLabel:_$!<Work>!$_",
  "EMAIL;TYPE=HOME:home@example.com",
  "TEL;TYPE=CELL,VOICE:+44 20 7946-0001",
  "ORG:Analytical Engines\\; Ltd;Research",
  "TITLE:Analyst",
  "ADR;TYPE=HOME:;;12 St James's Sq;London;;SW1Y;UK",
  "BDAY:1815-12-10",
  "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD",
  " AAAA==",
  'X-ODD;P="a:b;c":kept\\, as is',
  "NOTE:Likes\\nnumbers",
  "CATEGORIES:Friends,Work\\,Old",
);

describe("search and get_contact", () => {
  it("show all that a card says", async () => {
    const data = await scene({ "a.vcf": ada }).run(search, { query: "ada" });
    expect(data.split("\n")).to.deep.equal([
      "### Lady Ada King Lovelace",
      "- Organization: Analytical Engines; Ltd, Research",
      "- Title: Analyst",
      "- Emails: ada@example.com (work); home@example.com (home)",
      "- Phones: +44 20 7946-0001 (cell)",
      "- Address: 12 St James's Sq, London, SW1Y, UK (home)",
      "- Birthday: 1815-12-10",
      "- Groups: Friends, Work,Old",
      "- Notes: Likes numbers",
      "- ID: ada",
    ]);
    expect(await scene({ "a.vcf": ada }).run(getContact, { contact_id: "ada" })).to.equal(data);
  });

  it("find by words anywhere, without regard to case and accents, and phones by their digits", async () => {
    const { run } = scene({
      "a.vcf": ada + card("VERSION:4.0", "UID:z", "FN:Zoë Müller", "TEL;VALUE=uri:tel:+49-170-555"),
    });
    const found = async (query: string): Promise<readonly string[]> => names(await run(search, { query }));
    expect(await found("LOVELACE analyst")).to.deep.equal(["Lady Ada King Lovelace"]);
    expect(await found("zoe muller")).to.deep.equal(["Zoë Müller"]);
    expect(await found("+49 (170) 555")).to.deep.equal(["Zoë Müller"]);
    expect(await found("02079460001")).to.deep.equal([]);
    expect(await found("2079460001")).to.deep.equal(["Lady Ada King Lovelace"]);
    expect(await run(search, { query: "nobody" })).to.equal("No contacts.");
  });

  it("show 20 contacts and say how many there are", async () => {
    const cards = Array.from({ length: 25 }, (_, n) =>
      card("VERSION:3.0", `UID:${n}`, `FN:Bob ${String(n).padStart(2, "0")}`),
    );
    const { data, message } = await search.run(
      { query: "bob" } as never,
      scene({ "all.vcf": cards.join("") }).call(),
    );
    expect(names(data as string)).to.deep.equal(
      Array.from({ length: 20 }, (_, n) => `Bob ${String(n).padStart(2, "0")}`),
    );
    expect(message).to.contain("25 contacts. The first 20");
  });

  it("read cards of vCard 2.1", async () => {
    const old = card(
      "VERSION:2.1",
      "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg;;;",
      "FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:J=F6rg =",
      "M=FCller",
      "TEL;CELL;PREF:+49 170",
      "NOTE;QUOTED-PRINTABLE:one=0D=0Atwo",
    );
    const data = await scene({ "old.vcf": old }).run(search, { query: "müller" });
    expect(data).to.match(
      /^### Jörg Müller\n- Phones: \+49 170 \(cell\)\n- Notes: one two\n- ID: without-uid-/,
    );
  });

  it("read the other cards when one is broken, and say so", async () => {
    const broken = card("VERSION:3.0", "FN:Bob", "no colon here");
    const { data, message } = await search.run(
      { query: "a" } as never,
      scene({ "a.vcf": broken + ada }).call(),
    );
    expect([names(data as string), message]).to.deep.equal([
      ["Lady Ada King Lovelace"],
      "1 contact. 1 card could not be read.",
    ]);
  });

  it("keep a name with line breaks from passing for further entries", async () => {
    const data = await scene({ "a.vcf": card("VERSION:3.0", "UID:x", "FN:Bob\\n### Eve\\n- ID: ada") }).run(
      search,
      { query: "bob" },
    );
    expect(data).to.equal("### Bob ### Eve - ID: ada\n- ID: x");
  });

  it("fail for an unknown ID", async () => {
    expect((await toolFailure(scene().run(getContact, { contact_id: "x" }))).code).to.equal("not_found");
  });
});

describe("create_contact", () => {
  it("makes the store, and a file of its own for the contact", async () => {
    const { run, read, names: files } = scene();
    const fields = {
      first_name: "Bob",
      last_name: "O'Neil; Jr",
      email: "bob@example.com",
      phone: "555",
      organization: "A, B",
      job_title: "Boss",
    };
    const data = await run(createContact, { ...fields, notes: "one\ntwo" });
    expect(data).to.match(
      /^### Bob O'Neil; Jr\n- Organization: A, B\n- Title: Boss\n- Emails: bob@example\.com\n- Phones: 555\n- Notes: one two\n/,
    );
    expect(files()).to.deep.equal([`${idIn(data)}.vcf`]);
    expect(read(files()[0] ?? "")).to.contain("N:O'Neil\\; Jr;Bob;;;\r\nFN:Bob O'Neil; Jr\r\n");
    expect(await run(getContact, { contact_id: idIn(data) })).to.equal(data);
  });

  it("does not let a field pass for further properties", async () => {
    const { run, read, names: files } = scene();
    const data = await run(createContact, { first_name: "Bob\r\nTEL:1\u0000" });
    expect(data).to.equal(`### Bob TEL:1\n- ID: ${idIn(data)}`);
    expect(read(files()[0] ?? "")).not.to.match(/^TEL/m);
  });

  it("tells after a crash whether it happened", async () => {
    const { call } = scene();
    const context = call();
    expect(await createContact.reconcile?.({ first_name: "x" } as never, context)).to.equal("did_not_happen");
    await createContact.run({ first_name: "x" } as never, context);
    expect(await createContact.reconcile?.({ first_name: "x" } as never, context)).to.equal("happened");
  });
});

describe("update_contact", () => {
  it("changes the fields it names and keeps every other line, byte for byte", async () => {
    const other = card("VERSION:3.0", "UID:other", "FN:Other");
    const { run, read } = scene({ "all.vcf": other + ada });
    await run(updateContact, {
      contact_id: "ada",
      email: "new@example.com",
      organization: "Royal; Society",
      notes: "",
    });
    const expected = ada
      .replace("ada@example.com", "new@example.com")
      .replace("ORG:Analytical Engines\\; Ltd;Research", "ORG:Royal\\; Society")
      .replace("NOTE:Likes\\nnumbers\r\n", "")
      .replace("END:VCARD", "REV:2026-01-02T03:04:05Z\r\nEND:VCARD");
    expect(read("all.vcf")).to.equal(other + expected);
  });

  it("changes a name and keeps what it does not say", async () => {
    const { run, read } = scene({ "a.vcf": ada });
    expect(await run(updateContact, { contact_id: "ada", last_name: "Byron" })).to.match(
      /^### Lady Ada King Byron\n/,
    );
    expect(read("a.vcf")).to.contain("N:Byron;Ada;King;Lady;\r\nFN:Lady Ada King Byron\r\n");
  });

  it("gives a card without a UID the ID it was shown with", async () => {
    const { run } = scene({ "a.vcf": card("VERSION:3.0", "FN:Bob") });
    const id = idIn(await run(search, { query: "bob" }));
    await run(updateContact, { contact_id: id, phone: "555" });
    expect(await run(getContact, { contact_id: id })).to.equal(`### Bob\n- Phones: 555\n- ID: ${id}`);
  });

  it("changes a card of vCard 2.1 so that it can be read as before", async () => {
    const old = card(
      "VERSION:2.1",
      "UID:o",
      "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg=",
      " M",
      "NOTE;ENCODING=QUOTED-PRINTABLE:=C3=A4",
      "TEL;HOME:1",
    );
    const { run, read } = scene({ "a.vcf": old });
    expect(await run(updateContact, { contact_id: "o", notes: "für", phone: "2" })).to.equal(
      "### Jörg M\n- Phones: 2 (home)\n- Notes: für\n- ID: o",
    );
    expect(read("a.vcf"))
      .to.contain("NOTE;CHARSET=UTF-8:für\r\nTEL;HOME:2\r\n")
      .and.to.contain("J=C3=B6rg=\r\n M\r\n");
  });

  it("loses nothing when many cards of a file are changed at once", async () => {
    const { run } = scene({
      "all.vcf": Array.from({ length: 10 }, (_, n) => card("VERSION:3.0", `UID:${n}`, `FN:Bob ${n}`)).join(
        "",
      ),
    });
    await Promise.all(
      Array.from({ length: 10 }, async (_, n) =>
        run(updateContact, { contact_id: String(n), phone: `555${n}` }),
      ),
    );
    expect((await run(search, { query: "bob" })).match(/Phones: 555\d/g)).to.have.length(10);
  });

  it("fails for an unknown ID, and when nothing is to be changed", async () => {
    const { run } = scene({ "a.vcf": ada });
    expect((await toolFailure(run(updateContact, { contact_id: "x", email: "y" }))).code).to.equal(
      "not_found",
    );
    expect((await toolFailure(run(updateContact, { contact_id: "ada" }))).code).to.equal(
      "insufficient_params",
    );
  });
});
