//! Several structs become one. For example, the `struct node` of a header that two files include is two structs after
//! both files have been read, and one after they have been linked.

use super::{EnumId, FunctionType, Member, Record, RecordId, Type, TypeId, Types, Variant};
use std::sync::Arc;

impl Types {
    /// How many structs and unions there are, and how many enumerations.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.records.len(), self.enums.len())
    }

    /// The type that a struct or union is, if something has it.
    pub(crate) fn of_record(&self, id: RecordId) -> Option<TypeId> {
        self.ids.get(&(Type::Record(id), Variant::PLAIN)).copied()
    }

    /// The same types, where several structs, unions or enumerations are one: the table, and the new ids by the old
    /// ones. Of those that are one only the chosen remains.
    pub(crate) fn united(
        &self,
        chosen: &dyn Fn(RecordId) -> RecordId,
        chosen_enum: &dyn Fn(EnumId) -> EnumId,
    ) -> (Types, Vec<TypeId>) {
        let records = numbers(self.records.len(), |index| chosen(RecordId(index)).0);
        let enums = numbers(self.enums.len(), |index| chosen_enum(EnumId(index)).0);
        let mut united = Types::new(self.target);
        let mut ids: Vec<TypeId> = Vec::with_capacity(self.entries.len());
        // Each type is made of earlier ones.
        for entry in &self.entries {
            let new = |id: &TypeId| ids[id.index()];
            let ty = match &entry.ty {
                Type::Pointer(to) => Type::Pointer(new(to)),
                Type::Array(element, length) => Type::Array(new(element), *length),
                Type::Vector(element, length) => Type::Vector(new(element), *length),
                Type::Function(function) => Type::Function(Arc::new(FunctionType {
                    result: new(&function.result),
                    parameters: function.parameters.iter().map(new).collect(),
                    ..(**function).clone()
                })),
                Type::Record(id) => Type::Record(RecordId(records[id.0 as usize])),
                Type::Enum(id) => Type::Enum(EnumId(enums[id.0 as usize])),
                plain => plain.clone(),
            };
            ids.push(united.intern_variant(ty, entry.variant));
        }
        let kept = self.records().filter(|(id, _)| chosen(*id) == *id);
        united.records = kept.map(|(_, record)| with_types(record, &ids)).collect();
        let kept = self.enums.iter().enumerate();
        let kept = kept.filter(|(index, _)| chosen_enum(EnumId(*index as u32)).0 as usize == *index);
        united.enums = kept.map(|(_, item)| item.clone()).collect();
        (united, ids)
    }
}

fn with_types(record: &Record, ids: &[TypeId]) -> Record {
    let member = |member: &Member| Member { ty: ids[member.ty.index()], ..member.clone() };
    let members = record.members.as_ref().map(|members| members.iter().map(member).collect());
    Record { members, ..record.clone() }
}

/// New numbers without gaps for those that are chosen, by the old numbers.
fn numbers(count: usize, chosen: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut numbers = vec![0; count];
    let mut next = 0;
    for index in 0..count as u32 {
        if chosen(index) == index {
            numbers[index as usize] = next;
            next += 1;
        }
    }
    (0..count as u32).map(|index| numbers[chosen(index) as usize]).collect()
}
