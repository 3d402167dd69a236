/** @import { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow" */

/** @implements {ICredentialType} */
class MeishiApi {
  name = "meishiApi";
  displayName = "Meishi API";
  icon = /** @type {const} */ ("file:../nodes/meishi.svg");

  /** @type {INodeProperties[]} */
  properties = [
    {
      displayName: "Address of the Site",
      name: "url",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://cards.example.com",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      hint: "Created under Account → API keys. Allow Read and Change for leads and webhooks (leads:read, leads:write, webhooks:read, webhooks:write).",
    },
  ];

  /** @type {IAuthenticateGeneric} */
  authenticate = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  };

  /** @type {ICredentialTestRequest} */
  test = { request: { baseURL: "={{$credentials.url}}", url: "/api/v1/webhooks", qs: { limit: 1 } } };
}

module.exports = { MeishiApi };
