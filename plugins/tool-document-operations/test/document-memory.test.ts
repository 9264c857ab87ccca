import { expect } from "chai";
import { workspace } from "./workspace.ts";

describe("documents in memory", function () {
  this.timeout(30_000);

  it("keeps the text in memory with its origin, lists it, and removes it", async () => {
    const { put, run, context, failure } = workspace();
    const paragraphs = Array.from(
      { length: 60 },
      (_, index) => `Paragraph ${index} about zebra${index} and other animals of the plains.`,
    );
    put("zoo.txt", paragraphs.join("\n\n"));
    const { data } = await run("document_import", { path: "zoo.txt", tags: ["animals"] });
    const imported = data as { readonly document_id: string; readonly memory_stored: boolean };
    expect(imported.memory_stored).to.equal(true);
    const hits = (await context.memory?.search({ query: "zebra37", threshold: 0.5 })) ?? [];
    expect(hits.map(({ item }) => [item.origin, item.contentType, item.tags, item.context])).to.deep.equal([
      ["import", "document", ["animals"], "zoo.txt"],
    ]);
    context.clock.advance(600_000);
    await run("document_import", { path: "zoo.txt", tags: ["animals"] });
    const chunks = (await context.memory?.list())?.items ?? [];
    expect(
      chunks
        .map(({ content }) => content)
        .toReversed()
        .join("\n\n"),
    ).to.equal(paragraphs.join("\n\n"));
    const { documents } = (await run("document_list")).data as {
      readonly documents: readonly Readonly<Record<string, unknown>>[];
    };
    expect(documents).to.have.length(1);
    expect(documents[0]).to.include({
      document_id: imported.document_id,
      filename: "zoo.txt",
      memory_stored: true,
    });
    expect(documents[0]).not.to.have.any.keys("memory_ids", "version", "scope");
    const other = { ...context, scope: "c2" };
    expect(
      ((await run("document_list", {}, other)).data as { readonly documents: readonly unknown[] }).documents,
    ).to.deep.equal([]);
    expect(await failure("document_delete", { document_id: imported.document_id }, other)).to.have.property(
      "code",
      "not_found",
    );
    await run("document_delete", { document_id: imported.document_id });
    expect((await context.memory?.list())?.count).to.equal(0);
    expect(await failure("document_delete", { document_id: imported.document_id })).to.have.property(
      "code",
      "not_found",
    );
  });

  it("keeps what two documents share when one of them is deleted", async () => {
    const { put, run, imported, context } = workspace();
    put("one.txt", "The same words.");
    put("two.txt", "The same words.");
    const [one] = [await imported("one.txt"), await imported("two.txt")];
    await run("document_delete", { document_id: one.document_id });
    expect((await context.memory?.list())?.count).to.equal(1);
  });

  it("works without memory, and says so", async () => {
    const { put, run } = workspace();
    put("a.txt", "text");
    const { data, message } = await run("document_import", { path: "a.txt" }, { memory: undefined });
    expect(data).to.include({ memory_stored: false, content_preview: "text" });
    expect(message).to.include("only the preview");
  });
});
