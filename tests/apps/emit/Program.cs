// Code that comes and goes while it is sampled.  emit SITUATION [SECONDS]
using Emit;

return Situations.Run(args, new()
{
    ["dynamicmethod"] = Generated.DynamicMethods,
    ["assembly"] = Generated.Assemblies,
    ["expression"] = Generated.Expressions,
    ["collectible"] = Collectible.Run,
    ["tiering"] = Tiering.Run,
    ["rejit"] = Rejitted.Run,
});
