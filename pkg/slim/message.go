package slim

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// change appends to a slice what becomes of a message, which is the message or something shorter.
type change func(into, message []byte) ([]byte, error)

// rewrite appends to a slice a message without the fields that are not kept. Those for which there is a change are messages
// themselves, and are changed.
func rewrite(into, message []byte, of func(protowire.Number) (by change, kept bool)) ([]byte, error) {
	for len(message) > 0 {
		number, kind, length := protowire.ConsumeField(message)
		if length < 0 {
			return nil, fmt.Errorf("reading a message: %w", protowire.ParseError(length))
		}
		field := message[:length]
		message = message[length:]
		by, kept := of(number)
		switch {
		case !kept:
		case by == nil || kind != protowire.BytesType:
			into = append(into, field...)
		default:
			var err error
			if into, err = appendChanged(protowire.AppendTag(into, number, kind), content(field), by); err != nil {
				return nil, err
			}
		}
	}
	return into, nil
}

// appendChanged appends what becomes of a message, with its length before. A change makes nothing longer, so that the length
// has room where that of the message was: what is behind moves if it needs less, and all stays in one slice.
func appendChanged(into, message []byte, by change) ([]byte, error) {
	start := len(into)
	into = protowire.AppendVarint(into, uint64(len(message)))
	room := len(into)
	into, err := by(into, message)
	if err != nil {
		return nil, err
	}
	length := len(into) - room
	begin := len(protowire.AppendVarint(into[:start], uint64(length)))
	copy(into[begin:], into[room:])
	return into[:begin+length], nil
}

// content returns what is in a field that has a length.
func content(field []byte) []byte {
	_, _, tag := protowire.ConsumeTag(field)
	within, _ := protowire.ConsumeBytes(field[tag:])
	return within
}

// find returns the content of a field by the numbers that lead to it from a message, or nothing.
func find(message []byte, path ...protowire.Number) []byte {
	if len(path) == 0 {
		return message
	}
	for len(message) > 0 {
		number, kind, length := protowire.ConsumeField(message)
		if length < 0 {
			return nil
		}
		if number == path[0] && kind == protowire.BytesType {
			return find(content(message[:length]), path[1:]...)
		}
		message = message[length:]
	}
	return nil
}

// within changes the field to which the numbers lead, and keeps all others.
func within(by change, path ...protowire.Number) change {
	if len(path) == 0 {
		return by
	}
	return func(into, message []byte) ([]byte, error) {
		return rewrite(into, message, func(number protowire.Number) (change, bool) {
			if number != path[0] {
				return nil, true
			}
			return within(by, path[1:]...), true
		})
	}
}

// dropped is the change to a message without the field to which the numbers lead.
func dropped(path ...protowire.Number) change {
	last := len(path) - 1
	return within(func(into, message []byte) ([]byte, error) {
		return rewrite(into, message, func(number protowire.Number) (change, bool) { return nil, number != path[last] })
	}, path[:last]...)
}

// appendField appends a field that has a length.
func appendField(into []byte, number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(into, number, protowire.BytesType), content)
}

// fields are those of a message that are kept, by their numbers, each with its own fields that are. One without fields is
// kept as it is.
type fields map[protowire.Number]fields

// keep is the change to a message with these fields only.
func (f fields) keep(into, message []byte) ([]byte, error) {
	return rewrite(into, message, func(number protowire.Number) (change, bool) {
		of, kept := f[number]
		if len(of) == 0 {
			return nil, kept
		}
		return of.keep, true
	})
}

// add has the field kept to which the numbers lead.
func (f fields) add(path []protowire.Number) {
	for _, number := range path {
		if f[number] == nil {
			f[number] = fields{}
		}
		f = f[number]
	}
}

// has is whether the field is kept to which the numbers lead.
func (f fields) has(path []protowire.Number) bool {
	for _, number := range path {
		of, kept := f[number]
		if !kept {
			return false
		}
		if len(of) == 0 {
			return true
		}
		f = of
	}
	return true
}
