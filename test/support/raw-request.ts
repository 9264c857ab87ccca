import { connect } from "node:net";

/**
 * Sends bytes as they are and returns everything that comes back until the server closes or has answered with
 * a whole JSON body.
 */
export function rawRequest(
  url: string,
  text: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    const done = (): void => {
      socket.destroy();
      resolve({ status: Number(received.split(" ")[1]), text: received });
    };
    socket.on("data", (piece) => {
      received += piece.toString("utf8");
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Infinity);
      if ((received.split("\r\n\r\n")[1]?.length ?? 0) >= length) done();
    });
    socket
      .on("error", reject)
      .on("end", done)
      .on("connect", () => socket.write(text));
    setTimeout(done, 3000).unref();
  });
}
