import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as requestPlain } from "node:http";
import type { IncomingMessage } from "node:http";
import { createServer, request as requestOverTls } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

type ProxyOptions = {
  /** The name that browsers use. The proxy has a certificate for it. */
  host: string;
  /** The program behind the proxy. */
  port: number;
};

/**
 * A proxy that terminates TLS, as in front of a program in production: the program receives plain HTTP, an internal Host, and the visitor's
 * address in X-Forwarded-For. `request` is a client that accepts the proxy's certificate only.
 */
export async function startTlsProxy({ host, port }: ProxyOptions) {
  const { key, certificate } = makeCertificate(host);
  const server = createServer({ key, cert: certificate }, (incoming, outgoing) => {
    const headers = { ...incoming.headers, host: "meishi.internal:3000", "x-forwarded-for": "198.51.100.7" };
    const { method, url } = incoming;
    const forwarded = requestPlain({ port, host: "127.0.0.1", path: url, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxyPort = typeof address === "object" && address ? address.port : 0;

  async function request(input: string, init: RequestInit = {}): Promise<Response> {
    const asked = new Request(input, init);
    const { pathname, search } = new URL(asked.url);
    // Request drops a Cookie and a Host, which fetch sets itself.
    const headers = { ...Object.fromEntries(asked.headers), ...(init.headers as Record<string, string>), host };
    const options = { port: proxyPort, host: "127.0.0.1", servername: host, ca: certificate, headers };
    const sent = requestOverTls({ ...options, path: pathname + search, method: asked.method });
    sent.end(Buffer.from(await asked.arrayBuffer()));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return toResponse(response);
  }

  return {
    request,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function toResponse(message: IncomingMessage): Promise<Response> {
  const body = await buffer(message);
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct))
    for (const value of values) headers.append(name, value);
  const hasBody = body.length > 0 && status !== 204 && status !== 304;
  return new Response(hasBody ? new Uint8Array(body) : null, { status, headers });
}

/** Node can't make certificates. */
function makeCertificate(host: string) {
  const folder = mkdtempSync(join(tmpdir(), "meishi-tls-"));
  const [keyFile, file] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile];
  const names = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  execFileSync("openssl", ["req", "-x509", ...key, "-out", file, ...names, "-days", "2"], { stdio: "pipe" });
  const made = { key: readFileSync(keyFile), certificate: readFileSync(file) };
  rmSync(folder, { recursive: true });
  return made;
}
