const everyMilliseconds = 1000;

/** The last line that says something, without control characters and short enough for a card. */
function lastLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/\p{C}/gu, "").trim());
  return (lines.findLast((line) => line !== "") ?? "").slice(0, 200);
}

/** Shows the newest line of a stream, at most once a second. */
export function lineReporter(report: (line: string) => void) {
  let newest = "";
  const timer = setInterval(() => {
    if (newest !== "") report(newest);
    newest = "";
  }, everyMilliseconds);
  return {
    push: (piece: Buffer): void => {
      newest = lastLine(piece.subarray(-1000).toString("utf8")) || newest;
    },
    stop: (): void => clearInterval(timer),
  };
}
