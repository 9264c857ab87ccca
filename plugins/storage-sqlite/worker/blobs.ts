import type { Statements } from "./statements.ts";

export function putBlob(statements: Statements, id: string, bytes: Uint8Array): void {
  statements
    .get("INSERT INTO blobs (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes")
    .run(id, bytes);
}

/** `start` and `end` as in `slice`, none of them negative. */
export function getBlob(
  statements: Statements,
  id: string,
  start: number,
  end: number,
): Uint8Array | undefined {
  const statement = statements
    .get("SELECT coalesce(substr(bytes, ? + 1, ?), x'') FROM blobs WHERE id = ?")
    .pluck();
  return statement.get(start, Math.max(0, end - start), id) as Uint8Array | undefined;
}

export function deleteBlob(statements: Statements, id: string): boolean {
  return statements.get("DELETE FROM blobs WHERE id = ?").run(id).changes === 1;
}
