import { readdirSync } from "node:fs";
import { dirname } from "node:path";

import { pdf, plainImage } from "#tests/support/app/uploads.ts";

import { createClientApp } from "./client-app.ts";

export const image = async (color?: string) =>
  new Blob([new Uint8Array(await plainImage(300, 200, color).png().toBuffer())], { type: "image/png" });
export const document = (text = "", name = "Ada CV.pdf") => new File([new Uint8Array(pdf(text))], name);

export async function createStorageApp(options: Parameters<typeof createClientApp>[0] = {}) {
  const product = await createClientApp(options);
  const { client, app, services, userId } = product;
  /** What a browser or program without a key reads at an address of the storage. */
  const read = async (url: string) => {
    const response = await app.request(url);
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const publicUrl = (bucket: string, path: string) => client.storage.from(bucket).getPublicUrl(path).data.publicUrl;
  /** What an upload that was refused may have left. */
  const leftovers = async () => [
    ...readdirSync(dirname(services.files.tempPath())),
    ...(await services.db.selectFrom("asset").select("slot").execute()),
    ...(await services.db.selectFrom("storage").select("bytes").where("bytes", ">", 0).execute()),
  ];
  const publicPage = async () => (await product.visitor().get(`/u/${userId}`)).text();
  return { ...product, read, publicUrl, leftovers, publicPage };
}

/** All that the client knows of an error. */
export const shown = (error: { toJSON: () => object } | null) => error?.toJSON();
export const bytesOf = async (blob: Blob | null) => Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer());
export const missing = { status: 400, statusCode: "404", code: "NoSuchKey", message: "Object not found" };
export const denied = { status: 400, statusCode: "403", code: "AccessDenied" };
