import { expect } from "chai";
import { runOperation } from "@pergola/sdk/testing";
import { contactsOperations } from "../index.ts";
import { card, scene } from "./scene.ts";

const ann = card("VERSION:3.0", "UID:a", "FN:Ann", "CATEGORIES:Family");

describe("contacts_operations", () => {
  const names = contactsOperations.operations.map(({ name }) => name);

  it("T11: has an operation behind each bare name", () => {
    expect(Object.values(contactsOperations.aliases ?? {})).to.have.members(names);
    expect(contactsOperations.aliases).to.include({ search_contacts: "search", get_contact: "get_contact" });
  });

  const calls: Readonly<
    Record<string, readonly [args: Readonly<Record<string, unknown>>, data: RegExp, file?: RegExp]>
  > = {
    search: [{ query: "ann" }, /^### Ann\n/],
    get_contact: [{ contact_id: "a" }, /^### Ann\n/],
    create_contact: [{ first_name: "Bob" }, /^### Bob\n- ID: /, /FN:Bob/],
    update_contact: [{ contact_id: "a", job_title: "Boss" }, /^### Ann\n- Title: Boss\n/, /TITLE:Boss/],
    list_groups: [{}, /^- Family: 1 contact$/],
    search_group: [{ group_name: "family" }, /^### Ann\n/],
  };

  it("T01: has a call in this table for every operation", () => {
    expect(Object.keys(calls)).to.have.members(names);
  });

  for (const operation of contactsOperations.operations) {
    const [args, data, file = /FN:Ann/] = calls[operation.name] ?? [{}, /$^/];
    it(`T01: runs ${operation.name}`, async () => {
      const { call, read, names: files } = scene({ "a.vcf": ann });
      expect((await runOperation(operation, args, call())).data).to.match(data);
      expect(files().map(read).join("")).to.match(file);
      expect(operation.examples).to.have.length.above(0);
    });
  }
});
