import { Ajv } from "ajv";
import type { ValidateFunction } from "ajv";

type Schema = Record<string, unknown>;

/** An object with these fields and no others; all are required where `required` isn't given. */
const object = (properties: Record<string, Schema>, required = Object.keys(properties)) => ({
  type: "object",
  additionalProperties: false,
  required,
  properties,
});
const list = (items: Schema, limits: Schema = {}) => ({ type: "array", items, ...limits });
const pattern = (expression: string) => ({ type: "string", pattern: expression });
const words = (text: string) => text.trim().split(/\s+/);

const text = { type: "string", minLength: 1 };
const translated = object({ language: pattern("^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$"), value: text });
const localized = object({ defaultValue: translated, translatedValues: list(translated) }, ["defaultValue"]);
// Google's servers load it.
const uri = pattern(String.raw`^https://[^/\s]+/\S+$`);
const image = object({ sourceUri: object({ uri }), contentDescription: localized }, ["sourceUri"]);
const id = pattern(String.raw`^\d+\.[A-Za-z0-9._-]+$`);
const oneToTen = { minItems: 1, maxItems: 10 };
const linkUri = pattern(String.raw`^(https?://|tel:|mailto:|geo:)\S+$`);
const link = object({ id: text, uri: linkUri, description: text }, ["uri"]);
const module = object({ id: text, header: text, body: text }, ["id", "body"]);

const barcodeTypes = words(
  "AZTEC CODE_39 CODE_128 CODABAR DATA_MATRIX EAN_8 EAN_13 ITF_14 PDF_417 QR_CODE UPC_A TEXT_ONLY",
);
const genericTypes = words(`
  SEASON_PASS UTILITY_BILLS PARKING_PASS VOUCHER GYM_MEMBERSHIP LIBRARY_MEMBERSHIP RESERVATIONS AUTO_INSURANCE HOME_INSURANCE
  ENTRY_TICKET RECEIPT LOYALTY_CARD BUSINESS_CARD BARCODE_PASS MEMBERSHIP_CARD STUDENT_CARD TRANSIT_PASS VEHICLE_REGISTRATION OTHER
`).map((name) => `GENERIC_${name}`);

/**
 * What a generic object may contain: the fields and values of Google's discovery document (walletobjects v1), as far as we use them, with
 * its limits, and the required ones of the reference. Deprecated aliases are refused.
 */
const objectSchema = object(
  {
    id,
    classId: id,
    genericType: { enum: genericTypes },
    state: { enum: words("ACTIVE COMPLETED EXPIRED INACTIVE") },
    cardTitle: localized,
    header: localized,
    subheader: localized,
    hexBackgroundColor: pattern("^#([0-9a-f]{3}|[0-9a-f]{6})$"),
    logo: image,
    wideLogo: image,
    heroImage: image,
    barcode: object({ type: { enum: barcodeTypes }, value: text, alternateText: text }, ["type", "value"]),
    textModulesData: list(module, oneToTen),
    linksModuleData: object({ uris: list(link, oneToTen) }),
  },
  ["id", "classId", "cardTitle", "header"],
);

const fieldPath = pattern(String.raw`^(object|class)\.\w+(\['[\w-]+'\])?$`);
const item = object({ firstValue: object({ fields: list(object({ fieldPath }), { minItems: 1 }) }) });
const row = object({ twoItems: object({ startItem: item, endItem: item }) });
const holders = { enum: words("MULTIPLE_HOLDERS ONE_USER_ALL_DEVICES ONE_USER_ONE_DEVICE") };
const cardTemplateOverride = object({ cardRowTemplateInfos: list(row, { maxItems: 2 }) });
const classTemplateInfo = object({ cardTemplateOverride }, []);
const classSchema = object({ id, multipleDevicesAndHoldersAllowedStatus: holders, classTemplateInfo }, ["id"]);

const ajv = new Ajv({ allErrors: true });
const validators = { object: ajv.compile(objectSchema), class: ajv.compile(classSchema) };

/** What Google would refuse about a class or an object, as "path message". */
export function listProblems(kind: keyof typeof validators, resource: unknown): string[] {
  const validate: ValidateFunction = validators[kind];
  return validate(resource) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
}
