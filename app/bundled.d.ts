/** The text of a script with all that it imports (scripts/bundled-text.ts). */
declare module "*.ts?bundled" {
  const text: string;
  export default text;
}
