// The module hooks that register.mjs sets up.
let replaced = [];
let parentURL = "";

export function initialize(data) {
  replaced = Object.entries(data.replaced);
  parentURL = data.parentURL;
}

export function resolve(specifier, context, next) {
  for (const [name, other] of replaced) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    return next(other + specifier.slice(name.length), { ...context, parentURL });
  }
  return next(specifier, context);
}
