import { createDemoCertificates } from "#app/services/config/demo-certificates.server.ts";

const ids = { passTypeId: "pass.example.card", teamId: "TEAM123456" };

/** In force from 2020 to 2040, whatever a test's clock says. Made once per worker. */
export const demoPassCertificates = createDemoCertificates({
  ...ids,
  password: "sesame",
  validFrom: Date.UTC(2020, 0, 1),
  validTo: Date.UTC(2040, 0, 1),
});

/** Settings that make passes. */
export const passSettings = {
  APPLE_PASS_TYPE_ID: ids.passTypeId,
  APPLE_TEAM_ID: ids.teamId,
  APPLE_PASS_CERTIFICATE: demoPassCertificates.certificate,
  APPLE_PASS_KEY: demoPassCertificates.key,
  APPLE_WWDR_CERTIFICATE: demoPassCertificates.wwdr,
};
