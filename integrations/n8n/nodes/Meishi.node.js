/** @import { IDataObject, IExecuteFunctions, INodeProperties, INodeType, INodeTypeDescription } from "n8n-workflow" */
const { callApi } = require("./request.js");

/** The most leads that the API returns at once. */
const maxPage = 100;

/** @type {INodeProperties} */
const status = {
  displayName: "Status",
  name: "status",
  type: "options",
  default: "new",
  options: ["New", "Contacted", "Won", "Lost"].map((name) => ({ name, value: name.toLowerCase() })),
};

/** @param {string[]} operation */
const onlyFor = (...operation) => ({ displayOptions: { show: { operation } } });

/** @implements {INodeType} */
class Meishi {
  /** @type {INodeTypeDescription} */
  description = {
    displayName: "Meishi",
    name: "meishi",
    icon: "file:meishi.svg",
    group: [],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: "Read and change the leads of a Meishi site",
    defaults: { name: "Meishi" },
    inputs: ["main"],
    outputs: ["main"],
    usableAsTool: true,
    credentials: [{ name: "meishiApi", required: true }],
    properties: [
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "getAll",
        options: [
          { name: "Get", value: "get", action: "Get a lead", description: "Get a lead with the proof of consent" },
          { name: "Get Many", value: "getAll", action: "Get many leads", description: "Get leads, the newest first" },
          {
            name: "Update",
            value: "update",
            action: "Update a lead",
            description: "Set status, tags or note of a lead",
          },
        ],
      },
      { displayName: "Lead ID", name: "id", type: "string", default: "", required: true, ...onlyFor("get", "update") },
      { displayName: "Limit", name: "limit", type: "number", default: 50, ...onlyFor("getAll") },
      {
        displayName: "Filters",
        name: "filters",
        type: "collection",
        placeholder: "Add Filter",
        default: {},
        ...onlyFor("getAll"),
        options: [
          { displayName: "Search", name: "search", type: "string", default: "", description: "Words in any order" },
          { displayName: "Since", name: "since", type: "dateTime", default: "" },
          status,
          { displayName: "Tag", name: "tag", type: "string", default: "" },
        ],
      },
      {
        displayName: "Update Fields",
        name: "updateFields",
        type: "collection",
        placeholder: "Add Field",
        default: {},
        ...onlyFor("update"),
        options: [
          { displayName: "Note", name: "ownerNote", type: "string", typeOptions: { rows: 4 }, default: "" },
          status,
          { displayName: "Tags", name: "tags", type: "string", default: "", hint: "The complete list, with commas" },
        ],
      },
    ],
  };

  /** @this {IExecuteFunctions} */
  async execute() {
    const items = [];
    for (const item of this.getInputData().keys()) {
      const leads = await runOperation(this, item).catch((error) => {
        if (!this.continueOnFail()) throw error;
        return [{ error: error.message }];
      });
      items.push(...leads.map((json) => ({ json, pairedItem: { item } })));
    }
    return [items];
  }
}

/**
 * @param {IExecuteFunctions} node
 * @param {number} item
 * @returns {Promise<IDataObject[]>}
 */
async function runOperation(node, item) {
  const operation = node.getNodeParameter("operation", item);
  if (operation === "getAll") return listLeads(node, item);
  const path = `/leads/${encodeURIComponent(String(node.getNodeParameter("id", item)))}`;
  if (operation === "get") return [await callApi(node, { method: "GET", path })];
  const { tags, ...fields } = node.getNodeParameter("updateFields", item);
  if (tags !== undefined) fields.tags = String(tags).match(/[^,\s][^,]*/g) ?? [];
  return [await callApi(node, { method: "PATCH", path, body: fields })];
}

/**
 * @param {IExecuteFunctions} node
 * @param {number} item
 */
async function listLeads(node, item) {
  const { since, ...filters } = node.getNodeParameter("filters", item);
  if (since) filters.since = new Date(String(since)).toISOString();
  const max = Number(node.getNodeParameter("limit", item));
  const leads = [];
  let cursor;
  do {
    const qs = { ...filters, limit: Math.min(max - leads.length, maxPage), ...(cursor && { cursor }) };
    const page = await callApi(node, { method: "GET", path: "/leads", qs });
    leads.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor && leads.length < max);
  return leads;
}

module.exports = { Meishi };
