/** The parts that the tests use; the package has no types. */
declare module "s3rver" {
  export type StoredObject = {
    bucket: string;
    key: string;
    content: AsyncIterable<Buffer> | Buffer;
    metadata: Record<string, string>;
  };
  export type Store = {
    getResourcePath(bucket: string, key: string, resource: "object" | "object.md5" | "metadata.json"): string;
    putMetadata(bucket: string, key: string, metadata: Record<string, string>, md5: string): Promise<void>;
    putObject(object: StoredObject): Promise<{ size: number; md5: string }>;
    deleteObject(bucket: string, key: string): Promise<void>;
  };
  export default class S3rver {
    readonly store: Store;
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
