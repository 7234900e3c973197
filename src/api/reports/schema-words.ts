// Words to write schemas with. Every object is closed and read-only; a field that is not always there is `maybe`. From a schema come the
// JSON Schema that is published and, by `Shown`, the type that the program works with.
import Type, { type Static, type StaticDecode, type TProperties, type TSchema } from 'typebox';

/** The type in the program. It differs from what is printed only in times: see `instant`. */
export type Shown<Schema extends TSchema> = StaticDecode<Schema>;

export const text = Type.String();
export const flag = Type.Boolean();
export const count = Type.Integer({ minimum: 0 });
export const amount = Type.Number({ minimum: 0 });
export const signedAmount = Type.Number();
export const yes = Type.Unsafe<true>({ enum: [true] });
export const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });

export const maybe = Type.Optional;
export const either = <Schemas extends TSchema[]>(...schemas: [...Schemas]) => Type.Union<Schemas>(schemas);
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
export const one = <Values extends (string | number)[]>(...values: [...Values]) => Type.Enum<Values>(values);
export const list = <Schema extends TSchema>(items: Schema) => Type.Immutable(Type.Array(items));
export const mapOf = <Schema extends TSchema>(values: Schema) =>
  Type.Unsafe<Readonly<Record<string, Static<Schema>>>>({ type: 'object', additionalProperties: values });
export const object = <Fields extends TProperties>(fields: Fields) =>
  Type.ReadonlyObject(Type.Object(fields), { additionalProperties: false });
export const texts = list(text);

/** Milliseconds since 1970 in the program, a time as text where it is printed. */
export const instant = Type.Codec(time)
  .Decode((printed) => Date.parse(printed))
  .Encode((ms) => new Date(ms).toISOString());

/** The same, where 0 means that it is not known: printed as null. */
export const instantIfKnown = Type.Codec(orNull(time))
  .Decode((printed) => (printed === null ? 0 : Date.parse(printed)))
  .Encode((ms) => (ms > 0 ? new Date(ms).toISOString() : null));

/** The words stand in the published schema and in the types of the library. */
export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema =>
  Type.With(schema, { description }) as unknown as Schema;
