import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { fault } from "../fault.ts";
import { errorText } from "./error-response.ts";

const statusOf: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

function answer(socket: Socket, status: number, message: string): void {
  const text = errorText(fault("invalid_value", message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Content-Type: application/json; charset=utf-8",
  ];
  if (socket.writable && socket.bytesWritten === 0) socket.write([...head, "", text].join("\r\n"));
  socket.destroySoon();
}

/** Answers bytes that are not HTTP, or arrive too slowly to become a request. */
export function refuseBytes({ code }: NodeJS.ErrnoException, socket: Socket): void {
  const status = statusOf[code ?? ""] ?? 400;
  answer(socket, status, `${STATUS_CODES[status] ?? ""}.`);
}

/** Answers plain http on the port for https. */
export function refusePlain(socket: Socket): void {
  socket.resume();
  answer(socket, 400, "This port speaks https alone: write https:// in front of the address.");
}
