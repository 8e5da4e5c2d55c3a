declare module "virtual:index" {
  const files: readonly (readonly [name: string, base64: string])[];
  export default files;
}
