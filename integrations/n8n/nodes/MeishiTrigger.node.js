/** @import { IHookFunctions, INodeType, INodeTypeDescription, IWebhookFunctions } from "n8n-workflow" */
const { createHmac, timingSafeEqual } = require("node:crypto");

const { callApi } = require("./request.js");

/** Standard Webhooks: older messages may have been recorded and sent again. */
const maxAgeSeconds = 300;

/** @implements {INodeType} */
class MeishiTrigger {
  /** @type {INodeTypeDescription} */
  description = {
    displayName: "Meishi Trigger",
    name: "meishiTrigger",
    icon: "file:meishi.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when something happens on a Meishi site",
    defaults: { name: "Meishi Trigger" },
    inputs: [],
    outputs: ["main"],
    credentials: [{ name: "meishiApi", required: true }],
    webhooks: [
      { name: "default", httpMethod: "POST", responseMode: "onReceived", responseData: "noData", path: "webhook" },
    ],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["lead.created", "consent.withdrawn"],
        hint: "With consent.withdrawn, delete your copy of the lead.",
        options: [
          { name: "Card Saved", value: "card.saved", description: "You change a card" },
          { name: "Consent Withdrawn", value: "consent.withdrawn", description: "A visitor withdraws consent" },
          { name: "Contact Saved", value: "contact.saved", description: "Visitors save your contact" },
          { name: "Lead Created", value: "lead.created", description: "A visitor shares their contact" },
          { name: "Plan Changed", value: "plan.changed", description: "Your plan changes" },
        ],
      },
    ],
  };

  webhookMethods = {
    default: {
      /** @this {IHookFunctions} */
      async checkExists() {
        const { id } = this.getWorkflowStaticData("node");
        if (!id) return false;
        const webhook = await callApi(this, { method: "GET", path: `/webhooks/${id}`, mayBeGone: true });
        if (webhook?.url === this.getNodeWebhookUrl("default")) return true;
        // It was deleted on the site, or the address of n8n has changed.
        await deleteWebhook(this);
        return false;
      },

      /** @this {IHookFunctions} */
      async create() {
        const url = this.getNodeWebhookUrl("default");
        const events = this.getNodeParameter("events");
        const call = callApi(this, { method: "POST", path: "/webhooks", body: { url, events } });
        const { id, secret } = await call.catch((error) => {
          throw new Error(`Meishi didn’t add the webhook ${url}. ${error.message}`, { cause: error });
        });
        Object.assign(this.getWorkflowStaticData("node"), { id, secret });
        return true;
      },

      /** @this {IHookFunctions} */
      async delete() {
        await deleteWebhook(this);
        return true;
      },
    },
  };

  /** @this {IWebhookFunctions} */
  async webhook() {
    // n8n reads no raw body of a multipart request.
    const { rawBody = Buffer.alloc(0), headers } = this.getRequestObject();
    const { secret } = this.getWorkflowStaticData("node");
    if (!secret || !isSigned(rawBody, headers, String(secret))) {
      this.getResponseObject().status(401).end();
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(rawBody.toString());
    return { workflowData: [[{ json: { id: headers["webhook-id"], ...event } }]] };
  }
}

/** @param {IHookFunctions} node */
async function deleteWebhook(node) {
  const data = node.getWorkflowStaticData("node");
  if (data.id) await callApi(node, { method: "DELETE", path: `/webhooks/${data.id}`, mayBeGone: true });
  delete data.id;
  delete data.secret;
}

/**
 * Whether a message is recent and has a signature made with the secret. While a secret is replaced, there are several.
 *
 * @param {Buffer} rawBody
 * @param {import("http").IncomingHttpHeaders} headers
 * @param {string} secret
 */
function isSigned(rawBody, headers, secret) {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  const isExpected = (one) => {
    const signature = Buffer.from(one.replace("v1,", ""), "base64");
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  };
  return age <= maxAgeSeconds && signatures.split(" ").some(isExpected);
}

module.exports = { MeishiTrigger };
