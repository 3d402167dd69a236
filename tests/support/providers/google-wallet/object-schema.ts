import { Ajv } from "ajv";
import type { ValidateFunction } from "ajv";

const text = { type: "string", minLength: 1 } as const;

const translated = {
  type: "object",
  additionalProperties: false,
  required: ["language", "value"],
  properties: { language: { type: "string", pattern: "^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$" }, value: text },
} as const;

const localized = {
  type: "object",
  additionalProperties: false,
  required: ["defaultValue"],
  properties: { defaultValue: translated, translatedValues: { type: "array", items: translated } },
} as const;

const image = {
  type: "object",
  additionalProperties: false,
  required: ["sourceUri"],
  properties: {
    sourceUri: {
      type: "object",
      additionalProperties: false,
      required: ["uri"],
      // Google's servers load it.
      properties: { uri: { type: "string", pattern: String.raw`^https://[^/\s]+/\S+$` } },
    },
    contentDescription: localized,
  },
} as const;

const id = { type: "string", pattern: String.raw`^\d+\.[A-Za-z0-9._-]+$` } as const;

const links = {
  type: "object",
  additionalProperties: false,
  required: ["uris"],
  properties: {
    uris: {
      type: "array",
      minItems: 1,
      maxItems: 10,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["uri"],
        properties: {
          id: text,
          uri: { type: "string", pattern: String.raw`^(https?://|tel:|mailto:|geo:)\S+$` },
          description: text,
        },
      },
    },
  },
} as const;

const texts = {
  type: "array",
  minItems: 1,
  maxItems: 10,
  items: {
    type: "object",
    additionalProperties: false,
    required: ["id", "body"],
    properties: { id: text, header: text, body: text },
  },
} as const;

const barcodeTypes =
  "AZTEC CODE_39 CODE_128 CODABAR DATA_MATRIX EAN_8 EAN_13 ITF_14 PDF_417 QR_CODE UPC_A TEXT_ONLY".split(" ");

const genericTypes = (
  "SEASON_PASS UTILITY_BILLS PARKING_PASS VOUCHER GYM_MEMBERSHIP LIBRARY_MEMBERSHIP RESERVATIONS AUTO_INSURANCE HOME_INSURANCE " +
  "ENTRY_TICKET RECEIPT LOYALTY_CARD BUSINESS_CARD BARCODE_PASS MEMBERSHIP_CARD STUDENT_CARD TRANSIT_PASS VEHICLE_REGISTRATION OTHER"
)
  .split(" ")
  .map((name) => `GENERIC_${name}`);

/**
 * What a generic object may contain: the fields and values of Google's discovery document (walletobjects v1), as far as we use them, with
 * its limits, and the required ones of the reference. Deprecated aliases are refused.
 */
const objectSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "classId", "cardTitle", "header"],
  properties: {
    id,
    classId: id,
    genericType: { enum: genericTypes },
    state: { enum: ["ACTIVE", "COMPLETED", "EXPIRED", "INACTIVE"] },
    cardTitle: localized,
    header: localized,
    subheader: localized,
    hexBackgroundColor: { type: "string", pattern: "^#([0-9a-f]{3}|[0-9a-f]{6})$" },
    logo: image,
    wideLogo: image,
    heroImage: image,
    barcode: {
      type: "object",
      additionalProperties: false,
      required: ["type", "value"],
      properties: { type: { enum: barcodeTypes }, value: text, alternateText: text },
    },
    textModulesData: texts,
    linksModuleData: links,
  },
} as const;

const item = {
  type: "object",
  additionalProperties: false,
  required: ["firstValue"],
  properties: {
    firstValue: {
      type: "object",
      additionalProperties: false,
      required: ["fields"],
      properties: {
        fields: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            additionalProperties: false,
            required: ["fieldPath"],
            properties: {
              fieldPath: { type: "string", pattern: String.raw`^(object|class)\.\w+(\['[\w-]+'\])?$` },
            },
          },
        },
      },
    },
  },
} as const;

const classSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: {
    id,
    multipleDevicesAndHoldersAllowedStatus: {
      enum: ["MULTIPLE_HOLDERS", "ONE_USER_ALL_DEVICES", "ONE_USER_ONE_DEVICE"],
    },
    classTemplateInfo: {
      type: "object",
      additionalProperties: false,
      properties: {
        cardTemplateOverride: {
          type: "object",
          additionalProperties: false,
          required: ["cardRowTemplateInfos"],
          properties: {
            cardRowTemplateInfos: {
              type: "array",
              maxItems: 2,
              items: {
                type: "object",
                additionalProperties: false,
                required: ["twoItems"],
                properties: {
                  twoItems: {
                    type: "object",
                    additionalProperties: false,
                    required: ["startItem", "endItem"],
                    properties: { startItem: item, endItem: item },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
} as const;

const ajv = new Ajv({ allErrors: true });
const validators = { object: ajv.compile(objectSchema), class: ajv.compile(classSchema) };

/** What Google would refuse about a class or an object, as "path message". */
export function listProblems(kind: keyof typeof validators, resource: unknown): string[] {
  const validate: ValidateFunction = validators[kind];
  return validate(resource) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
}
