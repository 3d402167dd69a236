/** @import { IAllExecuteFunctions, IDataObject } from "n8n-workflow" */

/**
 * @typedef {object} ApiCall
 * @property {"GET" | "POST" | "PATCH" | "DELETE"} method
 * @property {string} path Below /api/v1.
 * @property {IDataObject} [qs]
 * @property {IDataObject} [body]
 * @property {boolean} [mayBeGone] Return undefined for a 404.
 */

/**
 * Calls the API of the site with the key of the credential, and returns the body. Throws the API's message when the call fails.
 *
 * @param {IAllExecuteFunctions} node
 * @param {ApiCall} call
 */
async function callApi(node, { path, mayBeGone = false, ...call }) {
  const { url } = await node.getCredentials("meishiApi");
  const { statusCode, body } = await node.helpers.httpRequestWithAuthentication.call(node, "meishiApi", {
    ...call,
    url: new URL(`/api/v1${path}`, String(url)).href,
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  });
  if (statusCode === 404 && mayBeGone) return undefined;
  if (statusCode < 400) return body;
  // RFC 9457: a problem document says in `detail` what is wrong; Meishi's also names the wrong fields.
  const fieldMessages = body?.errors?.map(({ message }) => message).join(" ");
  throw new Error(fieldMessages || body?.detail || `The site answered with status ${statusCode}.`);
}

module.exports = { callApi };
