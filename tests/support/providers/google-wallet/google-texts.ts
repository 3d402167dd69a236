import { z } from "zod";

const localized = z.object({ defaultValue: z.object({ value: z.string() }) });
const item = z.object({ firstValue: z.object({ fields: z.array(z.object({ fieldPath: z.string() })) }) });
const classSchema = z.object({
  classTemplateInfo: z.object({
    cardTemplateOverride: z.object({
      cardRowTemplateInfos: z.array(z.object({ twoItems: z.object({ startItem: item, endItem: item }) })),
    }),
  }),
});
const objectSchema = z.object({
  cardTitle: localized,
  header: localized,
  subheader: localized.nullable(),
  barcode: z.object({ alternateText: z.string().optional() }).nullable(),
  textModulesData: z.array(z.object({ id: z.string(), header: z.string().optional(), body: z.string() })).nullable(),
  linksModuleData: z.object({ uris: z.array(z.object({ description: z.string() })) }).nullable(),
});

/**
 * The texts of a generic pass from top to bottom, as Google describes its layout: title, subheader above the header, the class's rows of
 * fields, and the text below the code; on the details all text modules and then the links.
 * https://developers.google.com/wallet/generic/resources/template
 */
export function readGoogleTexts(template: unknown, object: unknown): { front: string[]; details: string[] } {
  const { cardRowTemplateInfos } = classSchema.parse(template).classTemplateInfo.cardTemplateOverride;
  const { cardTitle, header, subheader, barcode, textModulesData, linksModuleData } = objectSchema.parse(object);
  const modules = textModulesData ?? [];
  const paths = cardRowTemplateInfos
    .flatMap(({ twoItems }) => [twoItems.startItem, twoItems.endItem])
    .flatMap(({ firstValue }) => firstValue.fields.map(({ fieldPath }) => fieldPath));
  const rows = paths.flatMap((path) => modules.find(({ id }) => path === `object.textModulesData['${id}']`) ?? []);
  const isText = (text: string | undefined): text is string => Boolean(text);
  return {
    front: [
      cardTitle.defaultValue.value,
      subheader?.defaultValue.value,
      header.defaultValue.value,
      ...rows.flatMap((row) => [row.header, row.body]),
      barcode?.alternateText,
    ].filter(isText),
    details: [
      ...modules.flatMap((module) => [module.header, module.body]),
      ...(linksModuleData?.uris.map(({ description }) => description) ?? []),
    ].filter(isText),
  };
}
