import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

// A program of its own, asked by a test: what AWS's own packages sign. Vitest would load files of theirs that Node does not find.
// Prints a JSON list of addresses: to get, to put, to delete, to list.
const [endpoint = "", region = "", accessKeyId = "", secretAccessKey = "", Bucket, Key, time = "", ContinuationToken] =
  process.argv.slice(2);

const aws = new S3Client({
  endpoint,
  region,
  forcePathStyle: true,
  credentials: { accessKeyId, secretAccessKey },
  requestChecksumCalculation: "WHEN_REQUIRED",
});
const signing = { signingDate: new Date(time), expiresIn: 600 };
const addresses = await Promise.all([
  getSignedUrl(aws, new GetObjectCommand({ Bucket, Key }), signing),
  getSignedUrl(aws, new PutObjectCommand({ Bucket, Key }), signing),
  getSignedUrl(aws, new DeleteObjectCommand({ Bucket, Key }), signing),
  getSignedUrl(aws, new ListObjectsV2Command({ Bucket, Prefix: "avatars/", MaxKeys: 2, ContinuationToken }), signing),
]);
process.stdout.write(JSON.stringify(addresses));
