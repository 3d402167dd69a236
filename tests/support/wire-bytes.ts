import { get } from "node:http";

/** The length of a body as it goes over the wire, compressed as every browser understands it. Throws where it is not compressed. */
export async function gzipBytes(url: string): Promise<number> {
  const { bytes, encoding } = await fetchBytes(url);
  if (encoding !== "gzip") throw new Error(`${url} is not compressed: ${encoding}`);
  return bytes;
}

/** The length of what is sent as it is: a picture, a font. */
export async function plainBytes(url: string): Promise<number> {
  return (await fetchBytes(url)).bytes;
}

function fetchBytes(url: string): Promise<{ bytes: number; encoding: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      let bytes = 0;
      const encoding = response.headers["content-encoding"];
      response.on("data", (part: Buffer) => (bytes += part.length)).on("end", () => resolve({ bytes, encoding }));
    }).on("error", reject);
  });
}
